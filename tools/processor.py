# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the processor is called in tables and reports."""
import os


def name():
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            model = next((line.partition(":")[2].strip() for line in file if line.startswith("model name")), "")
    except OSError:
        model = ""
    return f"{model or os.uname().machine}, {len(os.sched_getaffinity(0))} cores"
