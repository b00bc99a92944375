# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A scratch copy of the sources with builds of its own, and the tests that are run there on one change at a time."""
import collections
import copy
import filecmp
import glob
import hashlib
import json
import os
import resource
import shutil
import signal
import subprocess
import time

# What a changed program may take, so that one that runs away harms nobody.
MOST_DATA = 6 << 30
MOST_FILE = 8 << 30
# What a test may take of the processor, and of time where all processors are busy, beside what it takes unchanged.
CPU_FACTOR, CPU_SECONDS = 4, 20
WALL_FACTOR, WALL_SECONDS = 20, 300
POLL_SECONDS = 0.02
# What is no program: operands that were swapped with one of another type.
NO_CODE = "-Werror=incompatible-pointer-types -Werror=int-conversion"
# The tests that draw pictures on all devices find much, but take long. Most of what they find they find on one device.
PICTURES = ("tests/golden", "tests/property")
ON_ONE_DEVICE = ("test_golden", "test_drawn")
# A GPU in software takes minutes for all goldens.
GPU_PARTS = {"test_golden": ("clip/", "filter/", "gradient/", "stroke/"), "test_drawn": ("",)}
DEVICES_OF = (("src/render/reference/", "reference"), ("shaders/lib/", "reference"), ("shaders/", "gpu"),
              ("src/render/gpu/", "gpu"), ("src/render/sheet/", "gpu"), ("src/primitive/", "gpu"),
              ("src/vulkan/", "gpu"), ("", "cpu"))


class Failed(Exception):
    """The sources do not build, or fail their tests, without any change."""


def limit_resources(environment, cpu_seconds):
    # What a shell starts in the background ignores them, and so would the tests of interruptions.
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    # Sanitizers take far more addresses than memory.
    if "ASAN_OPTIONS" not in environment:
        resource.setrlimit(resource.RLIMIT_DATA, (MOST_DATA, MOST_DATA))
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_FILE, MOST_FILE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # Scripts of tests give what they start a limit of its own, which may be higher.
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, resource.RLIM_INFINITY))


def run_limited(command, folder, environment, log, cpu_seconds, wall_seconds):
    """(status, seconds of the processor, seconds); the status is None where the time ran out."""
    with open(log, "wb") as output:
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=output, start_new_session=True,
                                   preexec_fn=lambda: limit_resources(environment, cpu_seconds))
        # A test may leave processes behind. Its number stays its own until it is waited for: nobody else's are ended.
        ended = None
        try:
            while ended is None and time.monotonic() < start + wall_seconds:
                time.sleep(POLL_SECONDS)
                ended = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            status = process.wait()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    ran_out = ended is None or status in (-signal.SIGXCPU, -signal.SIGKILL)
    return None if ran_out else status, cpu, time.monotonic() - start


class Test:
    def __init__(self, entry, build, tree):
        properties = {p["name"]: p["value"] for p in entry["properties"]}
        self.name, self.command = entry["name"], entry["command"]
        self.labels, self.folder = properties.get("LABELS", []), properties["WORKING_DIRECTORY"]
        self.environment = dict(os.environ)
        for assignment in properties.get("ENVIRONMENT", []):
            name, value = assignment.split("=", 1)
            self.environment[name] = value
        if "ASAN_OPTIONS" in self.environment:
            self.environment["ASAN_OPTIONS"] += f":hard_rss_limit_mb={MOST_DATA >> 20}"
        words = self.command + [self.environment[a.split("=", 1)[0]] for a in properties.get("ENVIRONMENT", [])]
        self.inputs = sorted({word for word in words if word.startswith(build + "/") or word.endswith(".py")})
        if build in words:
            self.inputs += [os.path.join(build, name) for name in ("render", "libpietra.so", "libpietra.a")]
        self.where = find_folder(self.name, tree)
        self.device = None
        self.cpu = self.seconds = 0.0

    def on_device(self, device, part=""):
        """The same test, but on one device alone, and of the pictures only those whose names contain the part."""
        single = copy.copy(self)
        single.name, single.device = f"{self.name} {part} on {device}".replace("  ", " "), device
        single.command = self.command + [part]
        single.environment = self.environment | {"PIETRA_TEST_DEVICES": device, "PIETRA_TEST_WITHOUT_VALIDATION": "1"}
        return single

    def targets(self):
        """What the build has to make for the test."""
        made = [path for path in self.inputs if not path.endswith(".py")]
        return ["pietra_shaders" if os.path.isdir(path) else os.path.basename(path) for path in made] or ["all"]

    def digest(self):
        """Of all that the build makes for the test: if it is as before, so is what the test finds."""
        total = hashlib.sha256()
        for path in self.inputs:
            for file in sorted(glob.glob(os.path.join(path, "*.inc"))) if os.path.isdir(path) else [path]:
                with open(file, "rb") as content:
                    total.update(hashlib.file_digest(content, "sha256").digest())
        return total.hexdigest()


def find_folder(name, tree):
    """The folder of tests in which a test stands."""
    for suffix in ("", "_portable"):
        found = glob.glob(f"{tree}/tests/**/{name.removesuffix(suffix)}.c", recursive=True)
        if found:
            return os.path.relpath(os.path.dirname(found[0]), tree)
    return "tests/command" if name.startswith("command_") else "tests/" + name


def test_folder_of(path):
    """The folder of tests that mirrors that of a source."""
    folder = os.path.dirname(path)
    if folder.startswith("tools/"):
        return "tests/command"
    if folder in ("shaders/stages", "shaders/layout"):
        return "tests/render/gpu"
    return "tests/" + folder.split("/", 1)[1]


def folder_beside(path):
    """The folder of tests that has those of the changed folder, and those beside it."""
    return "/".join(test_folder_of(path).split("/")[:2])


def batch_tests(tests, path, kills):
    """The tests in the order in which they are run: the near ones, in batches, each of which is built at once, and the
    far ones. Near are those of the changed folder, and the pictures on the device that shows the change; the first of
    the far ones are those of the folders beside it. Within a batch, those come first that noticed most changes beside
    this one."""
    near, beside = test_folder_of(path), folder_beside(path)
    device = next(device for start, device in DEVICES_OF if path.startswith(start))

    def place(test):
        if test.device:
            return 1
        if (test.where + "/").startswith(near + "/"):
            return 0
        if (test.where + "/").startswith(beside + "/"):
            return 2
        return 4 if test.where in PICTURES else 3

    def order(test):
        # A test that noticed much is worth its time.
        return place(test), test.cpu / (1 + kills[beside, test.name])

    wanted = [test for test in tests if test.device in (None, device)]
    ordered = sorted(wanted, key=order)
    by_place = [[test for test in ordered if place(test) in places] for places in ((0,), (1,), (2,), (3, 4))]
    return by_place[:2], by_place[2:]


class Build:
    """One preset, built in the scratch copy, and the tests of it that count."""

    def __init__(self, work, tree, preset, wanted, longest, jobs, say):
        self.tree, self.preset, self.wanted, self.longest = tree, preset, wanted, longest
        self.jobs, self.say = jobs, say
        self.folder = os.path.join(tree, "build", preset)
        self.log = os.path.join(work, f"{preset}.log")
        self.known = os.path.join(work, f"{preset}.json")
        self.tests = []
        self.kills = collections.Counter()

    def make(self, tests=()):
        """Builds what these tests need, or all. The status, and what it says."""
        targets = sorted({target for test in tests for target in test.targets()})
        result = subprocess.run(["ninja", "-C", self.folder, "-j", str(self.jobs), *targets], capture_output=True,
                                text=True, errors="replace")
        return result.returncode, result.stdout + result.stderr

    def prepare(self):
        """Configures, builds, and runs every test whose time is not known yet: it must pass without a change."""
        cache = os.environ.get("PIETRA_SHADER_CACHE", os.path.join(self.tree, "build/shader-cache"))
        subprocess.run(["cmake", "--preset", self.preset, "-DPIETRA_WERROR=OFF", f"-DPIETRA_SHADER_CACHE={cache}",
                        f"-DCMAKE_C_FLAGS={NO_CODE}"], cwd=self.tree, check=True, stdout=subprocess.DEVNULL)
        self.say(f"building {self.folder}")
        status, output = self.make()
        if status:
            raise Failed(output[-4000:])
        listed = subprocess.run(["ctest", "--test-dir", self.folder, "--show-only=json-v1"], check=True,
                                capture_output=True, text=True)
        entries = json.loads(listed.stdout)["tests"]
        self.tests = [Test(entry, self.folder, self.tree) for entry in entries if "command" in entry]
        self.tests = [test for test in self.tests if self.wanted(test)]
        pictures = [test for test in self.tests if test.name in ON_ONE_DEVICE]
        self.tests += [test.on_device(device) for test in pictures for device in ("cpu", "reference")]
        self.tests += [test.on_device("gpu", part) for test in pictures for part in GPU_PARTS[test.name]]
        try:
            with open(self.known) as file:
                known = json.load(file)
        except FileNotFoundError:
            known = {}
        self.tests = [test for test in self.tests if self.measure(test, known)]
        self.before = {test.name: test.digest() for test in self.tests}

    def measure(self, test, known):
        """Finds how long the test takes without a change, unless that is known. False: longer than it may."""
        # Pictures on one device stand for the longer tests. What was ended by its limit has no status.
        longest = 3600 if test.device else min(self.longest, 3600)
        status, cpu, seconds = known.get(test.name, (None, -1.0, 0.0))
        if status is None and cpu < longest:
            status, cpu, seconds = run_limited(test.command, test.folder, test.environment, self.log,
                                               int(longest + 1), 7200)
            self.say(f"{self.preset}: {test.name} without a change: {cpu:.1f} s of the processor")
            if status and cpu >= longest:
                status = None  # what it had started was ended
            if status:
                raise Failed(f"{self.preset}: {test.name} fails without a change; see {self.log}")
            known[test.name] = status, cpu, seconds
            with open(self.known, "w") as file:
                json.dump(known, file)
        test.cpu, test.seconds = cpu, seconds
        return status == 0 and cpu <= longest

    def run_test(self, test):
        """None where it passes, else what came of it."""
        status, _, _ = run_limited(test.command, test.folder, test.environment, self.log,
                                   int(CPU_FACTOR * test.cpu + CPU_SECONDS),
                                   WALL_FACTOR * test.seconds + WALL_SECONDS)
        if status == 0:
            return None
        return f"{test.name} (time)" if status is None else test.name

    def count_kill(self, path, by):
        self.kills[folder_beside(path), by.removesuffix(" (time)")] += 1

    def try_change(self, path, far):
        """Tries a change with the near tests, or with the others: ('killed', by what), ('survived', how many tests ran),
        ('same', '') or ('invalid', '')."""
        ran = 0
        for batch in batch_tests(self.tests, path, self.kills)[far]:
            status, output = self.make(batch) if batch else (0, "")
            if status:
                return ("killed", "static assertion") if "static assertion" in output else ("invalid", "")
            for test in batch:
                if test.digest() != self.before[test.name]:
                    ran += 1
                    failed = self.run_test(test)
                    if failed:
                        self.count_kill(path, failed)
                        return "killed", failed
        return ("survived", f"{ran} tests") if ran else ("same", "")


def copy_sources(source, tree):
    """Makes the copy what the sources are; files that are the same keep their time."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=source,
                            check=True, capture_output=True).stdout
    wanted = set()
    for name in sorted(os.fsdecode(name) for name in listed.split(b"\0") if name):
        original, copied = os.path.join(source, name), os.path.join(tree, name)
        if os.path.isfile(original):
            wanted.add(copied)
            if not os.path.isfile(copied) or not filecmp.cmp(original, copied, shallow=False):
                os.makedirs(os.path.dirname(copied), exist_ok=True)
                shutil.copy(original, copied)
    for folder, folders, files in os.walk(tree):
        if folder == tree and "build" in folders:
            folders.remove("build")
        for name in files:
            if os.path.join(folder, name) not in wanted:
                os.remove(os.path.join(folder, name))
