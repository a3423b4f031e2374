import { describe, expect, it } from "vitest";
import { withoutTraces, withoutTracesIn } from "@/lib/calls/pipeline/stack-traces";
import { cpuMs } from "@/test/support/cpu-time";

const TRACES: readonly (readonly [language: string, trace: string])[] = [
  [
    "JavaScript",
    "    at Object.run (/srv/app/secret-path.js:10:5)\n    at async node:internal/main:3:1\n    at /srv/secret-path.mjs:1:2",
  ],
  [
    "Java",
    "\tat com.acme.secret.path.Dao.find(Dao.java:42)\n\tat sun.reflect.NativeMethod.invoke0(Native Method)\n\t... 12 more",
  ],
  [
    ".NET",
    "   at Acme.Secret.Path.Find(String id) in C:\\secret-path\\Dao.cs:line 42\n   --- End of inner exception stack trace ---",
  ],
  ["Python", 'Traceback (most recent call last):\n  File "/srv/secret-path.py", line 3, in find\n    secret_path(7)'],
  ["PHP", "#0 /srv/secret-path.php(12): Dao->find(7)\n#1 {main}"],
  ["Ruby", "\tfrom /srv/secret-path.rb:12:in `find'\n/srv/secret-path.rb:1:in `<main>'"],
  ["Go", "goroutine 1 [running]:\nmain.secretPath(0x7)\n\t/srv/secret-path.go:12 +0x1d\ncreated by secret.path"],
  [
    "Rust",
    "   1: secret::path::find\n             at /srv/secret-path.rs:7:5\n   2: 0x5581 - secret::path::{closure#0}",
  ],
  ["Elixir", "    (app 0.1.0) lib/secret-path.ex:12: Secret.Path.find/1\n    (stdlib 3.1) secret_path.erl:11: x:y/4"],
  [
    "Python's exception groups",
    '  + Exception Group Traceback (most recent call last):\n  |   File "/srv/secret-path.py", line 3, in find\n  |     secret_path(7)',
  ],
  [
    "Express's page",
    "&nbsp; &nbsp;at find (/srv/secret-path.js:1:2)<br> &nbsp; &nbsp;at run (/srv/secret-path.js:3:4)",
  ],
];

describe("a stack trace of an upstream", () => {
  it.each(TRACES)("of %s is masked; the words around it stay", (_language, trace) => {
    const shown = withoutTraces(`Cannot find 7.\n${trace}\nAsk the administrator.`);
    expect(shown).toBe("Cannot find 7.\n[stack trace masked]\nAsk the administrator.");
  });

  it("inside JSON is masked, by its text or by the name of its member", () => {
    const shown = withoutTracesIn({
      message: `no\n${TRACES[0]?.[1] ?? ""}`,
      error: { stack_trace: ["secret-path"], stack: "secret-path", code: 7 },
    });
    expect(shown).toEqual({
      message: "no\n[stack trace masked]",
      error: { stack_trace: "[stack trace masked]", stack: "[stack trace masked]", code: 7 },
    });
  });

  it.each<[string, object]>([
    [
      "PHP",
      {
        exception: "E",
        file: "/secret-path.php",
        line: 3,
        trace: [{ file: "/secret-path.php", line: 3, function: "f" }],
      },
    ],
    ["Python", { frames: [{ filename: "/secret-path.py", lineno: 3, function: "find" }, { function: "secret-path" }] }],
    ["Java", { cause: { stackTrace: [{ methodName: "secret-path" }] } }],
    [".NET", { StackTraceString: "secret-path", RemoteStackTraceString: "secret-path" }],
    ["Ruby", { traces: { "Application Trace": [{ id: 1, trace: "secret-path.rb" }], "Full Trace": ["secret-path"] } }],
    ["OpenTelemetry", { "exception.stacktrace": "secret-path", exc_info: "secret-path" }],
  ])("as %s writes it into JSON is masked, also where the JSON is a text", (_language, error) => {
    expect(JSON.stringify(withoutTracesIn({ error } as never))).not.toContain("secret-path");
    expect(withoutTraces(JSON.stringify({ error }))).not.toContain("secret-path");
  });

  it("is not seen in a list of places without functions, as compilers and linters write them", () => {
    const problems = [{ file: "a.ts", line: 3, message: "missing semicolon" }];
    expect(withoutTracesIn({ file: "a.ts", line: 3, problems })).toEqual({ file: "a.ts", line: 3, problems });
  });

  it.each([
    ["Java", "no at com.acme.secret.path.Dao.find(Dao.java:42) at sun.reflect.Secret.path(Native Method)"],
    [
      ".NET",
      "no at Acme.Secret.Find(String id) in C:\\secret-path\\Dao.cs:line 42 at Acme.B() in /secret-path.cs:line 3",
    ],
    ["Python", 'no Traceback (most recent call last): File "/secret-path.py", line 3, in find'],
    ["JavaScript", "no at /srv/secret-path.js:1:2 at file:///secret-path.js:3:4"],
    ["PHP", "no in /secret-path.php:12 Stack trace: #0 /secret-path.php(3): f() thrown in /secret-path.php on line 12"],
    ["Rust", "no thread 'main' panicked at src/secret-path.rs:4:5: no"],
  ])("of %s in one line is masked", (_language, line) => {
    expect(withoutTraces(line)).not.toMatch(/secret.path|Acme\.Secret/i);
    expect(withoutTraces(line)).toMatch(/^no .*\[stack trace masked\]/);
  });

  it("escaped, as HTML or joined into one line is masked", () => {
    const [, trace] = TRACES[0] ?? ["", ""];
    for (const line of [trace.replaceAll("\n", "\\n"), trace.replaceAll("\n", "<br>")])
      expect(withoutTraces(line)).not.toContain("secret-path");
    const [, java] = TRACES[1] ?? ["", ""];
    const escaped = `server: "no\\n${java.replaceAll("\n", "\\n").replaceAll("\t", "\\t")}`;
    expect(withoutTraces(escaped)).toBe('server: "no\n[stack trace masked]');
    const joined = "TypeError: no at find (/srv/secret-path.js:1:2) at async run (file:///secret-path.js:3:4)";
    expect(withoutTraces(joined)).toBe("TypeError: no [stack trace masked]");
  });

  it.each([
    "Meet at 10:30 (room 5)",
    "at least (see 5)",
    "#1 in line",
    "from here on",
    "File a complaint, line 3",
    "1: one::",
    '["a", "b"]',
    "in /tmp",
  ])("is not seen in %s", (text) => expect(withoutTraces(text)).toBe(text));

  it("in a document that is too long to search is left out with it", () => {
    const text = JSON.stringify({ stack: "secret-path", rest: "x".repeat(65_536) });
    expect(withoutTraces(text)).toBe(`[document of ${text.length} characters left out]`);
  });

  it("that the end of the searched part divides is not shown", () => {
    const frame = "    at find (/srv/secret-path.js:1:2)\n";
    for (let before = 0; before < frame.length; before += 1) {
      const shown = withoutTraces(`${"x".repeat(before)}\n${frame.repeat(2_000)}`);
      expect(shown).toBe(`${"x".repeat(before)}\n[stack trace masked]`);
    }
  });

  it.each([
    ["lines", `boom, order 7 is locked\n${"\tat com.acme.secret.path.Dao.find(Dao.java:42)\n".repeat(3_200)}`],
    ["one line", `boom, order 7 is locked ${"at find (/srv/secret-path.js:1:2) ".repeat(4_000)}`],
    ["a log line", `[ERROR] boom, order 7 is locked\n${"x".repeat(65_536)}\n at find (/srv/secret-path.js:1:2)`],
    ["a dated line", `[2026-01-31 10:00] boom, order 7 is locked\n${"x".repeat(65_536)}`],
    ["a quoted line", `"boom, order 7 is locked" ${"x".repeat(65_536)}`],
  ])("of a text that is too long to search leaves the text before it: %s", (_what, text) => {
    const shown = withoutTraces(text);
    expect(shown).toContain("boom, order 7 is locked");
    expect(shown).not.toMatch(/secret.path/);
  });

  it.each(['["x", ', "[-1.5e3, ", "[null, ", " [ {}, ", "[[], "])(
    "in a long list that begins with %s is left out",
    (start) => {
      expect(withoutTraces(start + '"'.repeat(65_536))).toMatch(/^\[document of \d+ characters left out\]$/);
    },
  );

  it("in a JSON string is masked", () => {
    const shown = withoutTraces(JSON.stringify("boom\n\tat com.acme.secret.path.Dao.find(Dao.java:42)"));
    expect(shown).toBe('"boom\\n[stack trace masked]"');
  });

  it("in a JSON string that is too long to search is left out with it", () => {
    const text = JSON.stringify(`boom\n${"\tat com.acme.secret.path.Dao.find(Dao.java:42)\n".repeat(3_200)}`);
    expect(withoutTraces(text)).toBe(`[document of ${text.length} characters left out]`);
  });

  it("is looked for in linear time", () => {
    for (const part of [" at (", "at a.b", " at x (y", "#0 ", '  File "', "\n    at ", " in /x", "<b>", "&nbsp;", "| "])
      expect([part, cpuMs(() => withoutTraces(part.repeat(65_536 / part.length))) < 500]).toEqual([part, true]);
  });
});
