#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Several pictures of one document: sizes, elements, the names of their files, and files that are there already."""
import gzip
import os
import re
import shutil
import subprocess
import threading
import unittest

from support import CPU, HALF, PATIENCE, SANITIZED, CommandTest, limit_time, svg

ICONS = '<rect id="icon-a" width="8" height="8" fill="red"/><rect id="icon-b" x="10" width="4" height="8"/>' \
        '<circle id="other" r="3" cx="30" cy="20"/><g id="icon-a/c"><rect x="40" width="5" height="5"/></g><g id="icon-empty"/>'


class Names(CommandTest):
    def below(self, folder="."):
        return sorted(os.path.relpath(os.path.join(path, name), self.path(folder)) for path, _, names in os.walk(self.path(folder)) for name in names)

    def draw_from_pipe(self, *arguments):
        """Draws in.svg, which is a pipe: it can be read only once."""
        os.mkfifo(self.path("in.svg"))
        writer = threading.Thread(target=lambda: self.write("in.svg", svg(ICONS)))
        writer.start()
        self.assert_draws(*CPU, *arguments, "in.svg")
        writer.join()
        os.unlink(self.path("in.svg"))

    def count_calls(self, calls, pattern, *arguments):
        """Draws, and returns how many system calls of these names have lines that match."""
        if SANITIZED or not shutil.which("strace"):
            self.skipTest("calls cannot be traced")
        command = ["strace", "-f", "-e", "trace=" + calls, "-o", self.path("calls"), os.environ["PIETRA_RENDER"], *CPU, *arguments]
        subprocess.run(command, cwd=self.folder, check=True, stdin=subprocess.DEVNULL, timeout=PATIENCE)
        with open(self.path("calls"), errors="replace") as file:
            lines = [line for line in file if re.search(pattern, line)]
        os.unlink(self.path("calls"))
        return len(lines)


class Sizes(Names):
    def test_a_document_is_read_once_for_all_sizes(self):
        self.draw_from_pipe("--zoom", "1,2,0.5", "--output-name", "{stem}@{zoom}x.png")
        self.assertEqual(self.below(), ["in@0.5x.png", "in@1x.png", "in@2x.png"])
        for name, side in (("in@0.5x.png", 32), ("in@1x.png", 64), ("in@2x.png", 128)):
            self.assertEqual(self.read_png(name)[:2], (side, side))

    def test_each_picture_is_the_one_that_is_drawn_alone(self):
        self.write("a.svg", svg(ICONS))
        for options, names in ((("--width", "16,200"), {"16": ("-w", "16"), "200": ("-w", "200")}),
                               (("--height", "7,9", "-w", "20"), {"7": ("-w", "20", "-h", "7"), "9": ("-w", "20", "-h", "9")}),
                               (("--zoom", "3"), {"3": ("--zoom", "3")})):
            part = options[0][2:]
            self.assert_draws(*CPU, *options, "--output-name", f"{{{part}}}.png", "a.svg")
            for name, alone in names.items():
                self.assert_draws(*CPU, *alone, "a.svg", "alone.png")
                self.assertEqual(self.read_bytes(name + ".png"), self.read_bytes("alone.png"), (options, name))

    def test_many_documents_in_folders(self):
        os.makedirs(self.path("in/b"))
        for name in ("in/x.svg", "in/b/y.svg"):
            self.write(name, svg(HALF))
        self.assert_draws(*CPU, "--width", "8,16", "--output-dir", "out", "--output-name", "{width}/{stem}.webp", "in")
        self.assertEqual(self.below("out"), ["16/x.webp", "8/x.webp", "b/16/y.webp", "b/8/y.webp"])

    def test_folders_of_sizes_are_looked_at_once(self):
        for i in range(5):
            self.write(f"{i}.svg", svg(HALF))
        arguments = ("--width", "8,16", "--output-dir", "out", "--output-name", "{width}/{stem}.png", *(f"{i}.svg" for i in range(5)))
        self.assertEqual(self.count_calls("mkdir,mkdirat", '"out/8"', *arguments), 1)
        self.assertLessEqual(self.count_calls("openat", '"out/8", .*O_RDONLY.*O_DIRECTORY', *arguments), 1)

    def test_braces(self):
        self.write("a{stem}}.svg", svg(HALF))
        self.assert_draws(*CPU, "--output-name", "{{{stem}}}{zoom}{{zoom}}.png", "a{stem}}.svg")
        self.assertEqual(self.below(), ["a{stem}}.svg", "{a{stem}}}1{zoom}.png"])

    def test_one_that_fails_spares_the_others(self):
        self.write("a.svg", svg(HALF))
        os.mkdir(self.path("2.png"))
        done = self.run_render(*CPU, "--zoom", "1,2,9999,3", "--output-name", "{zoom}.png", "a.svg")
        lines = sorted(done.stderr.decode().splitlines())
        self.assertEqual((done.returncode, len(lines)), (1, 2), lines)
        self.assertIn("2.png: cannot write: it is a folder", lines[0])
        self.assertIn("a side has at most", lines[1])
        self.assertEqual(self.below(), ["1.png", "3.png", "a.svg"])

    def test_a_stem_chooses_no_format(self):
        for name in ("icon.webp", "photo.jpeg"):
            self.write(name + ".svg", svg(HALF))
            self.assert_draws(*CPU, "--output-name", "{stem}", name + ".svg")
            self.assertEqual(self.read_png(name)[:2], (64, 64))
        self.assert_draws(*CPU, "--output-name", "{stem}.webp", "photo.jpeg.svg")
        self.assertEqual(self.read_bytes("photo.jpeg.webp")[8:12], b"WEBP")

    def test_wrong(self):
        self.write("a.svg", svg(HALF))
        self.write("...svg", svg(HALF))
        png = ("--output-name", "{stem}.png")
        for pattern, *arguments in (("several sizes need --output-name, such as {stem}-{zoom}.png", "--zoom", "1,2", "a.svg", "b.png"),
                                    ("several sizes need --output-name, such as {stem}-{height}.png", "-h", "1,2", "--output-dir", "out", "a.svg"),
                                    ("several sizes need --output-name", "-w", "1,2", "--query-all", "a.svg"),
                                    ("two pictures of it would be drawn to the same file", "-w", "1,2", *png, "a.svg"),
                                    ("exclude each other", "-w", "1,2", "--zoom", "1", *png, "a.svg"),
                                    ("only one of --width and --height may be a list", "-w", "1,2", "-h", "1,2", *png, "a.svg"),
                                    ("snap-baselines is for one size", "--zoom", "1,2", "--snap-baselines", "--output-name", "{zoom}", "a.svg"),
                                    ('--width: "" is not a whole number', "-w", "1,,2", "--output-name", "{width}", "a.svg"),
                                    ('--width: "" is not a whole number', "-w", "1,", "--output-name", "{width}", "a.svg"),
                                    ('--zoom: "-2" is not a number above 0', "--zoom", "1,-2", "--output-name", "{zoom}", "a.svg"),
                                    ("is not a list of numbers", "--zoom", "1" * 99, *png, "a.svg"),
                                    ("has a brace that is none of {stem}, {width}", "--output-name", "{name}.png", "a.svg"),
                                    ("has a brace", "--output-name", "{stem.png", "a.svg"),
                                    ("has a brace", "--output-name", "stem}.png", "a.svg"),
                                    ("has {width}, but there is no --width", "--output-name", "{width}.png", "a.svg"),
                                    ("has {height}, but there is no --height", "-w", "5", "--output-name", "{height}.png", "a.svg"),
                                    ("has {zoom}, but the size is a width", "-w", "5", "--output-name", "{zoom}.png", "a.svg"),
                                    ("has {id}, but there is no --export-ids", "--output-name", "{id}.png", "a.svg"),
                                    ("not an absolute path", "--output-name", "/{stem}.png", "a.svg"),
                                    ("is not the name of a file", "--output-name", "{stem}/", "a.svg"),
                                    ("would be outside of --output-dir", "--output-name", "../{stem}.png", "a.svg"),
                                    ("would be outside of --output-dir", "--output-name", "{stem}/a.png", "...svg"),
                                    ("ending of a format that is not written; formats are png, jpeg", "--output-name", "{stem}.gif", "a.svg"),
                                    ("ending of a source", "--output-name", "{stem}.svg", "a.svg"),
                                    ("the name is empty", "--output-name", "", "a.svg"),
                                    ("--output is for one picture", *png, "-o", "b.png", "a.svg")):
            self.assert_fails(1, pattern.replace("{", r"\{"), *arguments)
        self.assertEqual(self.below(), ["...svg", "a.svg"])

    def test_equal_names(self):
        for folder in ("in", "in/b"):
            os.makedirs(self.path(folder))
            self.write(f"{folder}/a.svg", svg(HALF))
        self.write("in/a.svgz", gzip.compress(svg(HALF).encode()))
        png = ("--output-name", "{stem}.png")
        for advice, *inputs in ((" (it is given twice)", "in/a.svg", "in/a.svg"),
                                (" (it is given twice)", "in/b", "in/b"),
                                (" (they are one file)", "in/a.svg", "./in/a.svg"),
                                (" (it is given twice)", "in/b", "in/b/"),
                                ("", "in/a.svg", "in/a.svgz"),
                                (" (--keep-folders keeps names apart)", "in/a.svg", "in/b/a.svg")):
            self.assert_fails(1, "would be drawn to the same file as .*in/.*a.png" + re.escape(advice) + "\n$", *png, *inputs)
        self.assertEqual(self.below(), ["in/a.svg", "in/a.svgz", "in/b/a.svg"])


class Elements(Names):
    def test_each_element_whose_id_matches(self):
        self.draw_from_pipe("--export-ids", "icon-*")
        self.assertEqual(self.below(), ["in-icon-a%2Fc.png", "in-icon-a.png", "in-icon-b.png"])
        self.write("a.svg", svg(ICONS))
        for id, name in (("icon-a", "in-icon-a.png"), ("icon-a/c", "in-icon-a%2Fc.png"), ("icon-b", "in-icon-b.png")):
            self.assert_draws(*CPU, "--export-id", id, "a.svg", "alone.png")
            self.assertEqual(self.read_bytes(name), self.read_bytes("alone.png"))

    def test_sizes_places_and_names(self):
        self.write("a.svg", svg(ICONS))
        self.assert_draws(*CPU, "--export-ids", "*", "--zoom", "1,2", "--output-dir", "out", "--output-name", "{zoom}/{id}.qoi", "a.svg")
        ids = ["icon-a", "icon-a%2Fc", "icon-b", "other"]
        self.assertEqual(self.below("out"), sorted(f"{zoom}/{id}.qoi" for zoom in (1, 2) for id in ids))
        self.assert_draws(*CPU, "--export-ids", "icon-[ab]", "--export-area-page", "--format", "webp", "--output-dir", "page", "a.svg")
        self.assertEqual(self.below("page"), ["a-icon-a.webp", "a-icon-b.webp"])
        self.assert_draws(*CPU, "--export-ids", "icon-b", "--export-area-page", "a.svg")
        self.assertEqual(self.read_png("a-icon-b.png")[:2], (64, 64))

    def test_ids_that_are_no_names_of_files(self):
        self.write("a.svg", svg("".join(f'<rect id="{id}" width="{i + 1}" height="5"/>' for i, id in
                                        enumerate(("..", ".hidden", "a/../b", "%2F", "&#xe9;", "a&#x7f;b", "x" * 300)))))
        done = self.run_render(*CPU, "--export-ids", "*", "--output-name", "{id}.png", "--output-dir", "out", "a.svg")
        self.assertEqual((done.returncode, done.stderr.count(b"\n")), (1, 1))
        self.assertIn(b"File name too long", done.stderr)
        self.assertEqual(self.below("out"), sorted(("%2E..png", "%2Ehidden.png", "a%2F..%2Fb.png", "%252F.png", "\u00e9.png", "a%7Fb.png")))
        self.assertEqual(self.below(), sorted(["a.svg"] + ["out/" + name for name in self.below("out")]))

    def test_an_id_chooses_no_format(self):
        self.write("a.svg", svg('<rect id="x.webp" width="5" height="5"/><rect id="y.jpg" width="5" height="5"/>'))
        self.assert_draws(*CPU, "--export-ids", "*", "--output-name", "{id}", "a.svg")
        self.assertEqual([self.read_png(name)[:2] for name in ("x.webp", "y.jpg")], [(5, 5)] * 2)

    def test_no_id_replaces_what_is_read(self):
        ids = ("x.svg", "drawing.txt", "style.css", "good")
        texts = {name: svg("".join(f'<rect id="{id}" width="5" height="5"/>' for id in ids)) for name in ("x.svg", "drawing.txt")}
        texts["style.css"] = "rect { fill: red }"
        for name, text in texts.items():
            self.write(name, text)
        for sandbox in ((), ("--no-sandbox",)):
            done = self.run_render(*CPU, *sandbox, "--stylesheet", "style.css", "--export-ids", "*", "--output-name", "{id}", "drawing.txt")
            self.assertEqual((done.returncode, sorted(done.stderr.decode().splitlines())),
                             (1, ["render: ./drawing.txt: OUTPUT is the INPUT drawing.txt", "render: ./style.css: OUTPUT is the INPUT style.css",
                                  "render: ./x.svg: OUTPUT has the ending of a source; formats are png, jpeg, webp, bmp, tga, qoi, ppm, pam or rgba"]))
            self.assertEqual(self.below(), ["drawing.txt", "good", "style.css", "x.svg"])
            for name, text in texts.items():
                self.assertEqual(self.read_bytes(name).decode(), text)

    def test_two_elements_never_get_one_file(self):
        """Their names may be the same only when ids are put in."""
        for name, ids in (("a", ("b-c", "d")), ("a-b", ("c",))):
            self.write(name + ".svg", svg("".join(f'<rect id="{id}" width="5" height="5"/>' for id in ids)))
        done = self.run_render(*CPU, "--export-ids", "*", "--output-dir", "out", "a.svg", "a-b.svg")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr.decode(), r"^render: a(-b)?\.svg: two elements would be drawn to the same file: out/a-b-c\.png\n$")
        self.assertEqual(self.below("out"), ["a-b-c.png", "a-d.png"])
        self.write("a.svg", svg('<rect id="x" width="5" height="5"/><rect id="x1" width="5" height="5"/>'))
        self.assert_fails(1, "a.svg: two elements would be drawn to the same file: ./x11.png", *CPU, "--export-ids", "x*", "--zoom", "1,11",
                          "--output-name", "{id}{zoom}.png", "a.svg")
        self.assertEqual(self.read_png("x11.png")[:2], (55, 55))

    def test_inputs_with_other_ids_share_a_pattern(self):
        for name, ids in (("a", "xy"), ("b", "z"), ("c", "y")):
            self.write(name + ".svg", svg("".join(f'<rect id="{id}" width="5" height="5"/>' for id in ids)))
        self.assert_draws(*CPU, "--export-ids", "*", "--output-name", "{id}.png", "--output-dir", "out", "a.svg", "b.svg")
        self.assertEqual(self.below("out"), ["x.png", "y.png", "z.png"])
        self.assert_fails(1, r"(a|c)\.svg: two elements would be drawn to the same file: out/y\.png", *CPU, "--export-ids", "*", "--output-name", "{id}.png",
                          "--output-dir", "out", "a.svg", "b.svg", "c.svg")

    def test_warnings_come_once(self):
        self.write("a.svg", svg(ICONS + "<foreignObject/>"))
        done = self.assert_draws(*CPU, "--export-ids", "icon-*", "a.svg")
        self.assertEqual(done.stderr.count(b"foreignObject"), 1)

    def test_wrong(self):
        self.write("a.svg", svg(ICONS))
        for pattern, *arguments in (('a.svg: no element with an id like "x\\*" draws anything', "--export-ids", "x*", "a.svg"),
                                    ("no element with an id", "--export-ids", "icon-empty", "a.svg"),
                                    ("lacks {id}", "--export-ids", "*", "--output-name", "{stem}.png", "a.svg"),
                                    ("has {id} more than once", "--export-ids", "*", "--output-name", "{id}{id}.png", "a.svg"),
                                    ("has {id} in the name of a folder", "--export-ids", "*", "--output-name", "{id}/a.png", "a.svg"),
                                    ("exclude each other", "--export-ids", "*", "--export-id", "icon-a", "a.svg"),
                                    ("exclude each other", "--export-ids", "*", "--export-area-drawing", "a.svg"),
                                    ("--query-all draws nothing", "--export-ids", "*", "--query-all", "a.svg"),
                                    ("same file as a.svg", "--export-ids", "*", "--output-name", "{id}.png", "a.svg", "a.svg"),
                                    ("two pictures of it", "--export-ids", "*", "--zoom", "1,2", "--output-name", "{id}.png", "b.svg", "a.svg", "b.svg"),
                                    ("the name is empty", "--export-ids", "", "a.svg")):
            self.assert_fails(1, pattern.replace("{", r"\{"), *arguments)
        self.assertEqual(self.below(), ["a.svg"])


class Existing(Names):
    def test_what_is_there_is_not_drawn(self):
        self.write("a.svg", svg(HALF))
        self.write("bad.svg", "<svg")
        self.write("b.png", "old")
        self.assert_draws(*CPU, "--skip-existing", "bad.svg", "b.png")
        self.assertEqual(self.read_bytes("b.png"), b"old")
        self.assert_draws(*CPU, "--skip-existing", "a.svg", "c.png")
        self.assertEqual(self.read_png("c.png")[:2], (64, 64))
        self.assertEqual(self.assert_draws(*CPU, "--skip-existing", "a.svg", "-").stdout, self.read_bytes("c.png"))
        self.assert_draws(*CPU, "--skip-existing", "a.svg", "/dev/null")
        os.symlink("none.png", self.path("link.png"))
        self.assert_draws(*CPU, "--skip-existing", "a.svg", "link.png")
        self.assertEqual(self.read_bytes("link.png"), self.read_bytes("c.png"))
        self.assert_fails(1, "--skip-existing goes with no --timing", "--skip-existing", "--timing", "t", "a.svg", "c.png")

    def test_of_many_pictures_the_missing_ones_are_drawn(self):
        os.mkdir(self.path("in"))
        for name in "abc":
            self.write(f"in/{name}.svg", svg(ICONS))
        arguments = (*CPU, "--skip-existing", "--zoom", "1,2", "--output-name", "{stem}{zoom}.png", "--output-dir", "out", "in")
        self.assert_draws(*arguments)
        whole = {name: self.read_bytes("out/" + name) for name in self.below("out")}
        self.assertEqual(len(whole), 6)
        for name in ("a1.png", "b2.png"):
            self.write("out/" + name, "old")
        os.unlink(self.path("out/c1.png"))
        self.write("in/a.svg", "<svg")  # is not even read
        self.assert_draws(*arguments)
        for name in whole:
            self.assertEqual(self.read_bytes("out/" + name), b"old" if name in ("a1.png", "b2.png") else whole[name], name)
        self.write("in/c.svg", "<svg")
        self.assert_draws(*arguments)

    def test_elements(self):
        self.write("a.svg", svg(ICONS))
        self.write("a-icon-a.png", "old")
        self.assert_draws(*CPU, "--skip-existing", "--export-ids", "icon-*", "a.svg")
        self.assertEqual(self.below(), ["a-icon-a%2Fc.png", "a-icon-a.png", "a-icon-b.png", "a.svg"])
        self.assertEqual(self.read_bytes("a-icon-a.png"), b"old")


    def test_elements_that_are_there_are_not_even_read(self):
        self.write("b.svg", svg(HALF))
        self.write("a.svg", svg("".join(f'<g id="x{i}"><image width="9" height="9" href="b.svg"/></g>' for i in range(9))))
        arguments = ("--allow-external", "--export-ids", "*", "--skip-existing", "a.svg")
        whole, rest = (self.count_calls("openat,openat2", 'b\\.svg"', *arguments) for _ in range(2))
        self.assertEqual((whole, rest), (10, 1))
        self.assertEqual(len(self.below()), 11)


class BadDisks(Names):
    def test_a_full_disk_leaves_nothing_half(self):
        os.mkdir(self.path("disk"))
        self.write("a.svg", svg(ICONS))
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", self.path("disk")], stderr=subprocess.DEVNULL).returncode != 0:
            self.skipTest("mounting is not allowed")
        try:
            done = self.run_render(*CPU, "--zoom", "1,60,2", "--output-dir", "disk", "--output-name", "{zoom}.rgba", "a.svg")
            self.assertEqual((done.returncode, done.stderr.count(b"No space left")), (1, 2), done.stderr)
            self.assertEqual(self.below("disk"), ["1.rgba"])
        finally:
            subprocess.run(["umount", self.path("disk")], check=True)

    def test_a_folder_that_takes_no_files(self):
        self.write("a.svg", svg(ICONS))
        os.mkdir(self.path("out"))
        if os.geteuid() == 0:
            self.assert_fails(1, "cannot", *CPU, "--export-ids", "icon-b", "--output-dir", "/proc/self/fd", "a.svg", prepare=limit_time)
        else:
            os.chmod(self.path("out"), 0o500)
            self.assert_fails(1, "Permission denied", *CPU, "--export-ids", "icon-b", "--output-dir", "out", "a.svg")
        self.assertEqual(self.below(), ["a.svg"])


if __name__ == "__main__":
    unittest.main()
