import { expect, test } from "vitest";
import { checkLinks } from "../checks/check-links.mjs";
import { plant } from "./plant.mjs";

const findingsOf = (files) => checkLinks(plant(files)).findings;

test("links to files, folders, headings and lines that are there are fine", () => {
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

test("a link to a file that is not there is found", () => {
  expect(findingsOf({ "docs/a.md": "# A\n\n[b](b.md)" })).toEqual([
    "docs/a.md:3: b.md: no such file in the repository",
  ]);
});

test("a link to a heading that is not there is found", () => {
  const files = { "a.md": "[b](b.md#gone)", "b.md": "# Here\n```\n# gone\n```" };
  expect(findingsOf(files)).toEqual(["a.md:1: b.md#gone: no such heading"]);
});

test("a reference, an image and an HTML link are links too", () => {
  const text = "[x]: one.md\n![y](two.png)\n<img alt='' src='three.png'>";
  expect(findingsOf({ "a.md": text })).toHaveLength(3);
});

test("a link that only works on one machine or host is found", () => {
  const files = { "a.md": "[x](/a.md) [y](../outside.md) [z](dist/index.js)", "dist/index.js": "" };
  expect(findingsOf(files)).toHaveLength(3);
});

test("what looks like a link in code is none", () => {
  expect(
    findingsOf({ "a.md": "`[x](no.md)`\n\n```md\n[y](no.md)\n```\n\n~~~\n```\n[z](no.md)\n~~~" }),
  ).toEqual([]);
});
