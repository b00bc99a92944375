#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What comes from the table of options: the groups of --help, suggestions, and the completions of shells."""
import os
import re
import shutil
import subprocess
import unittest

from support import CommandTest, svg


class Table(CommandTest):
    def listed(self):
        return re.findall(r"(?m)^  (?:-(.), |    )--([a-z-]+)", self.assert_draws("--help").stdout.decode())

    def test_help_has_groups(self):
        text = self.assert_draws("--help").stdout.decode()
        groups = re.findall(r"(?m)^([A-Z][A-Za-z ]+):\n(?=  )", text)
        self.assertGreater(len(groups), 5)
        self.assertEqual(len(set(groups)), len(groups))
        names = [name for _, name in self.listed()]
        self.assertEqual(len(set(names)), len(names))
        first = re.search(r"(?m)^[A-Z][A-Za-z ]+:\n(?=  )", text).start()
        for line in text[first:].splitlines():
            self.assertRegex(line, r"^$|^[A-Z][A-Za-z ]+:$|^  \S|^      --|^Status: ")

    def test_a_mistyped_option_is_answered_with_the_one_that_is_meant(self):
        for typed, meant in (("--widht", "width"), ("--hieght=5", "height"), ("--out", "output"), ("--query", "query-all"), ("--backround", "background"),
                             ("--list-device", "list-devices"), ("--fromat", "format"), ("--keepfolders", "keep-folders"), ("--zom", "zoom"),
                             ("--compresion=best", "compression"), ("--export-area-drawn", "export-area-drawing")):
            self.assert_fails(1, rf'no option "{typed}"; is --{meant} meant\?', typed, "in.svg", "out.png")
        for typed in ("--x", "--xyzzy", "--", "---", "--" + "width" * 100, "--valid", "-x", "--=5", "--\u00e9"):
            done = self.run_render(typed, "in.svg", "out.png")
            self.assertEqual(done.returncode, 1)
            self.assertNotIn(b"meant", done.stderr)

    def test_there_are_completions_for_three_shells(self):
        self.assert_fails(1, "--completions: \"tcsh\" is not bash, zsh or fish", "--completions", "tcsh")
        names = {name for _, name in self.listed()}
        for shell, pattern in (("bash", r"--([a-z-]+)(?= |')"), ("zsh", r"--([a-z-]+)=?-?[\[}]"), ("fish", r"(?m)^complete -c render -l ([a-z-]+)")):
            text = self.assert_draws("--completions", shell).stdout.decode()
            self.assertEqual(set(re.findall(pattern, text)) | {"completions"}, names, shell)

    def test_words_are_those_that_the_option_takes(self):
        """All values that completions offer are taken, and an error names the same ones."""
        self.write("in.svg", svg('<path id="a" d="M0 0h9v9"/>'))
        text = self.assert_draws("--completions", "fish").stdout.decode()
        words = dict(re.findall(r"(?m)^complete -c render -l ([a-z-]+) -x -a '([a-z][a-z_ ]*)'", text))
        self.assertLessEqual({"format", "compression", "device", "heatmap", "completions"}, set(words))
        for name in words:
            message = self.run_render(f"--{name}=wrong", "in.svg", "out.png").stderr.decode()
            named = set(re.findall(r"[a-z_]+", message.split(" is not ")[1])) - {"or", "gpu", "a"}
            self.assertEqual(named, set(words[name].split()) - {"gpu"}, name)
            if name not in ("device", "tile-layout"):  # command_tiles takes layouts
                for word in words[name].split():
                    self.assert_draws("--device", "cpu", f"--{name}={word}", "in.svg", "out.png")


class Bash(CommandTest):
    def complete(self, *words):
        """Returns what bash offers for the last word."""
        script = self.assert_draws("--completions", "bash").stdout.decode()
        quoted = " ".join("'" + word.replace("'", "'\\''") + "'" for word in ("render", *words))
        script = f"compopt() {{ :; }}\n{script}\nCOMP_WORDS=({quoted})\nCOMP_CWORD={len(words)}\n_render\nprintf '%s\\n' \"${{COMPREPLY[@]}}\""
        done = subprocess.run(["bash", "--norc", "-c", script], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.stderr, "")
        return sorted(done.stdout.split("\n")[:-1]) if done.stdout != "\n" else []

    def test_completions(self):
        os.mkdir(self.path("a folder"))
        self.write("it's.svg", "")
        everything = ["a folder", "it's.svg"]
        self.assertEqual(self.complete("--list-"), ["--list-devices", "--list-fonts", "--list-limits"])
        self.assertEqual(self.complete("-q", "--comp"), ["--completions", "--compression"])
        self.assertEqual(self.complete("--compression", ""), ["best", "default", "fast"])
        self.assertEqual(self.complete("--compression", "=", "f"), ["fast"])
        self.assertEqual(self.complete("--compression", "="), ["best", "default", "fast"])
        self.assertEqual(self.complete("--query-all", "="), ["csv", "json"])
        self.assertEqual(self.complete("--query-all", ""), everything)
        self.assertEqual(self.complete("--output-dir", ""), ["a folder"])
        self.assertEqual(self.complete("-o", ""), everything)
        self.assertEqual(self.complete("--width", ""), [])
        self.assertEqual(self.complete("-w", ""), [])
        self.assertEqual(self.complete("i"), ["it's.svg"])
        self.assertEqual(self.complete(""), everything)


class OtherShells(CommandTest):
    """The nightly tests install these shells."""

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh(self):
        """_arguments gets each option once, and the shell understands the script: from its folders, and sourced."""
        self.write("_render", self.assert_draws("--completions", "zsh").stdout)
        found = "_arguments() { print -rl -- \"$@\" }\n"
        folder = found + "fpath=($PWD)\nautoload -Uz _render\n_render\n_render"
        sourced = found + "compdef() { print -r \"compdef $*\" }\nsource <(cat _render)\n_render"
        offered = []
        for script in (folder, sourced):
            done = subprocess.run(["zsh", "-f", "-c", script], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=True)
            self.assertEqual(done.stderr, "")
            offered.append(done.stdout.splitlines())
        lines = offered[1][1:]
        self.assertEqual(offered, [lines * 2, ["compdef _render render", *lines]])
        self.assertIn("--compression=[of a PNG or a lossless WebP: fast, default or best]:compression:(fast default best)", lines)
        self.assertIn("--stylesheet=[CSS that comes before the document's own style sheets]:stylesheet:_files", lines)
        self.assertIn("(-q --quiet)-q[no progress bar, and no warnings of what is left out of the picture]", lines)

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_fish(self):
        self.write("script", self.assert_draws("--completions", "fish").stdout)

        def complete(line):
            done = subprocess.run(["fish", "--no-config", "-c", f"source script; complete -C '{line}'"], cwd=self.folder, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True, env=dict(os.environ, HOME=self.folder), check=True)
            self.assertEqual(done.stderr, "")
            return [row.split("\t")[0] for row in done.stdout.splitlines()]
        self.assertEqual(complete("render --compression "), ["best", "default", "fast"])
        self.assertEqual(complete("render --list-"), ["--list-devices", "--list-fonts", "--list-limits"])


if __name__ == "__main__":
    unittest.main()
