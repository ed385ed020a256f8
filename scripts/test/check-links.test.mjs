import { expect, test } from "vitest";
import { checkLinks } from "../checks/check-links.mjs";
import { plant } from "./plant.mjs";

const findingsOf = (files) => checkLinks(plant(files)).findings;

test("links to existing files, folders, headings and lines pass", () => {
  const files = {
    "README.md": [
      "[guide](docs/guide.md#the-first-step) [folder](docs/) [here](#two-times-1) [line](a.ts#L2)",
      "[ref] ![picture](<docs/a picture.svg>) [web](https://example.org/nowhere) <a href='docs/guide.md'>x</a>",
      "",
      "[ref]: docs/guide.md 'title'",
      "# Two times",
      "# Two times",
    ].join("\n"),
    "docs/guide.md": "## The `first` step!\n",
    "docs/a picture.svg": "",
    "a.ts": "1\n2\n",
  };
  expect(checkLinks(plant(files))).toEqual({ findings: [], looked: "7 links in 2 documents" });
});

test("a link to a missing file is found", () => {
  expect(findingsOf({ "docs/a.md": "# A\n\n[b](b.md)" })).toEqual([
    "docs/a.md:3: b.md: no such file in the repository",
  ]);
});

test("a link to a missing heading is found", () => {
  const files = { "a.md": "[b](b.md#gone)", "b.md": "# Here\n```\n# gone\n```" };
  expect(findingsOf(files)).toEqual(["a.md:1: b.md#gone: no such heading"]);
});

test("references, images and HTML links are checked too", () => {
  const text = "[x]: one.md\n![y](two.png)\n<img alt='' src='three.png'>";
  expect(findingsOf({ "a.md": text })).toHaveLength(3);
});

test("a link that only works on one machine or host is found", () => {
  const files = { "a.md": "[x](/a.md) [y](../outside.md) [z](dist/index.js)", "dist/index.js": "" };
  expect(findingsOf(files)).toHaveLength(3);
});

test("text in code that looks like a link is not checked", () => {
  expect(
    findingsOf({ "a.md": "`[x](no.md)`\n\n```md\n[y](no.md)\n```\n\n~~~\n```\n[z](no.md)\n~~~" }),
  ).toEqual([]);
});
