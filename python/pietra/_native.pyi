# SPDX-License-Identifier: Apache-2.0 OR MIT
from typing import Any

ffi: Any
lib: Any
