# SPDX-License-Identifier: Apache-2.0 OR MIT
import os
import sys

import pytest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "gpu: needs a Vulkan device, which may be lavapipe")
