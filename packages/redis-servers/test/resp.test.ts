import { describe, expect, test } from "vitest";
import { FrameSplitter } from "../src/resp/frame-splitter.js";
import { decodeReply, encodeCommand, RefusedCommand } from "../src/resp/reply.js";

const FRAMES = [
  "+OK\r\n",
  ":-3\r\n",
  "$5\r\na\r\nbc\r\n",
  "$0\r\n\r\n",
  "$-1\r\n",
  "*-1\r\n",
  "*0\r\n",
  "*3\r\n:1\r\n*2\r\n$1\r\nx\r\n$-1\r\n+y\r\n",
  "-ERR no\r\n",
  "%1\r\n+a\r\n#t\r\n",
  ">2\r\n$1\r\nm\r\n,1.5\r\n",
];

describe("the protocol", () => {
  test("is cut into whole values wherever the bytes are cut", () => {
    const stream = Buffer.from(FRAMES.join(""));
    for (let cut = 0; cut <= stream.length; cut++) {
      const splitter = new FrameSplitter();
      const frames = [...splitter.push(stream.subarray(0, cut)), ...splitter.push(stream.subarray(cut))];
      expect(frames.map(String)).toEqual(FRAMES);
    }
    const splitter = new FrameSplitter();
    const byByte = [...stream].flatMap((byte) => splitter.push(Buffer.of(byte)));
    expect(byByte.map(String)).toEqual(FRAMES);
  });

  test("is read", () => {
    const values = FRAMES.slice(0, 8).map((frame) => decodeReply(Buffer.from(frame)));
    expect(values).toEqual(["OK", -3, "a\r\nbc", "", null, null, [], [1, ["x", null], "y"]]);
    expect(decodeReply(Buffer.from("-ERR no\r\n"))).toBeInstanceOf(RefusedCommand);
  });

  test("is written by bytes, not by characters", () => {
    const command = Buffer.from(encodeCommand(["SET", "é", 7]));
    expect(String(command)).toBe("*3\r\n$3\r\nSET\r\n$2\r\né\r\n$1\r\n7\r\n");
    expect(decodeReply(command)).toEqual(["SET", "é", "7"]);
  });
});
