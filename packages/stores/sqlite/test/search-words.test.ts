import { describe, expect, test } from "vitest";
import { found, hits, searchable, user } from "./searchable.js";

describe("hostile queries never fail, and are just text", () => {
  const hostile = [
    "",
    " ",
    '"',
    '""',
    "'",
    "`",
    "\\",
    "*",
    "a*",
    "*a",
    "-",
    "-a",
    "+a",
    "^a",
    "(",
    ")",
    "()",
    ":",
    "a:b",
    "words:a",
    "{a b}:c",
    "NEAR",
    "NEAR(",
    "NEAR(a b, 5)",
    "AND",
    "OR",
    "NOT",
    "a AND",
    "AND OR NOT",
    "a NOT b",
    '"a" "b',
    "%",
    "_",
    ";",
    "--",
    "'; DROP TABLE messages; --",
    "\0",
    "a\0b",
    "\ud800",
    "a\udfffb",
    "\u202e",
    "🎉",
    "👩‍👩‍👧",
    "🇩🇪",
    "é",
    "e\u0301",
    "ﷺ",
    "ß",
    "İ",
    "語",
    "日本語のテキスト",
    "ไทย",
    "မြန်မာ",
    "שלום",
    "مرحبا",
    "हिन्दी",
    "한국어",
    "a".repeat(10_240),
    "a ".repeat(5_120),
    "語".repeat(3_400),
    '"'.repeat(10_240),
    "NEAR(".repeat(2_000),
    "🎉".repeat(2_500),
    "x-y_z.w@v/u",
    "2026-11-16T08:00",
    "1e309",
    "null",
    "__proto__",
    "constructor",
  ];

  test("none of a table of them", async () => {
    await using store = await searchable();
    await store.addMessage("s", user("m", 'say "hello" AND (wave) OR -run* ^now NEAR'));
    for (const text of hostile) {
      const items = await hits(store, { text });
      expect(Array.isArray(items), JSON.stringify(text.slice(0, 40))).toBe(true);
    }
    for (const text of ["hello", '"hello"', "AND", "(wave)", "-run*", "^now", "NEAR", "wave hello"]) {
      expect(await found(store, text), text).toEqual(["s/m"]);
    }
    expect(await found(store, "hello NOT wave")).toEqual([]);
  });
});

describe("words in any script", () => {
  const texts: readonly (readonly [string, string, readonly string[], readonly string[]])[] = [
    ["English", "The quick brown Fox", ["fox", "QUICK", "brown the"], ["fo", "quickly"]],
    ["German", "Der schnelle Füchse-Übermut, Straße", ["fuchse", "ubermut", "straße"], ["schnell"]],
    ["Japanese", "素早い狐がジャンプした", ["素早い", "狐", "ジャンプ", "狐がジャンプ"], ["狐い", "素狐"]],
    ["Chinese", "我喜欢学习中文和数学。", ["学习", "中文", "学", "数学"], ["文学", "习学"]],
    ["Thai", "ฉันรักภาษาไทย", ["ภาษา", "ไทย"], ["ไทยภาษา"]],
    ["Korean", "안녕하세요 세계", ["세계", "안녕하세요"], ["안녕히"]],
    ["Arabic", "مرحبا بالعالم", ["مرحبا"], ["سلام"]],
    ["Hindi", "नमस्ते दुनिया", ["दुनिया"], ["दूध"]],
    ["Russian", "Быстрая лиса", ["ЛИСА"], ["лис"]],
    ["mixed", "iPhoneを買った🎉 v2.0", ["iphone", "買った", "🎉", "v2"], ["phone"]],
  ];

  test.each(texts)("%s", async (_script, content, there, notThere) => {
    await using store = await searchable();
    await store.addMessage("s", [user("m", content), user("other", "something else 別 другое")]);
    for (const text of there) expect(await found(store, text), text).toEqual(["s/m"]);
    for (const text of notThere) expect(await found(store, text), text).toEqual([]);
  });
});
