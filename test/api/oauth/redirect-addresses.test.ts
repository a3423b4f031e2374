import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { drain } from "@/lib/server/front/front";
import { clients } from "@/lib/store/config/clients";
import { ADMIN, save, supportDocument } from "@/test/api/agents-world";
import {
  authorizationQuery,
  authorize,
  begin,
  documents,
  openGateway,
  pkce,
  type Gateway,
} from "@/test/api/oauth/world";
import { useDatabase } from "@/test/support/database";

// Where a browser is sent: to an address that equals a registered one, else nowhere (RFC 9700, 4.1; RFC 8252, 7).

useDatabase();
let gateway: Gateway;

const DESK = "https://client.example.com/desk.json";
const REGISTERED = [
  "http://127.0.0.1/callback",
  "http://[::1]/callback",
  "https://client.example.com/done",
  "https://client.example.com:8443/done",
  "desk://callback",
  "com.example.desk:/callback",
];

/** A client that an admin registers. */
const ADMITTED = { name: "admitted", description: "", enabled: true, agent: null, jwks: null };

beforeAll(async () => {
  documents.set(DESK, { client_id: DESK, redirect_uris: REGISTERED });
  await save(supportDocument());
});
// A gateway for each test, because one counts the requests of an address.
beforeEach(async () => {
  gateway = await openGateway();
});
afterEach(() => drain(gateway.server, 0));

const queryFor = (redirect: string, changes: Record<string, string | null> = {}) =>
  authorizationQuery(pkce().challenge, { client_id: DESK, redirect_uri: redirect, ...changes });

describe("an address is accepted", () => {
  it.each([
    ...REGISTERED,
    // Only a loopback address is free to choose its port (RFC 8252, 7.3).
    "http://127.0.0.1:43117/callback",
    "http://[::1]:43117/callback",
  ])("%s", async (redirect) => {
    const { began } = await begin(gateway, queryFor(redirect));
    expect([began.status, began.headers.get("location")]).toEqual([303, expect.stringMatching(/^\/connect\//)]);
  });

  it("with the name localhost, at any port, when the document has that name", async () => {
    const id = "https://client.example.com/localhost.json";
    documents.set(id, { client_id: id, redirect_uris: ["http://localhost/callback"] });
    const sentTo = async (redirect: string) =>
      (await begin(gateway, queryFor(redirect, { client_id: id }))).began.headers.get("location");
    expect(await sentTo("http://localhost:43117/callback")).toMatch(/^\/connect\//);
    expect(await sentTo("http://127.0.0.1:43117/callback")).toBeNull();
    expect(await sentTo("https://localhost:43117/callback")).toBeNull();
  });

  it("for an error, which goes to the same address of this computer", async () => {
    const redirect = "http://[::1]:43117/callback";
    const { began } = await begin(gateway, queryFor(redirect, { resource: null }));
    expect(began.headers.get("location")).toMatch(/^http:\/\/\[::1\]:43117\/callback\?error=/);
  });

  it("for an error before a person answered, elsewhere only when an admin registered the client", async () => {
    await clients.create(ADMIN, { ...ADMITTED, redirectUris: ["https://client.example.com/done"] });
    const faults = [{ prompt: "none" }, { code_challenge: null }, { resource: "https://x.example.com" }];
    for (const fault of faults) {
      for (const redirect of ["https://client.example.com/done", "desk://callback"]) {
        const { began } = await begin(gateway, queryFor(redirect, fault));
        expect([began.status, began.headers.get("location")]).toEqual([400, null]);
        expect(await began.text()).toMatch(/<h1>The connection failed<\/h1>.*<code>[a-z_]+: /s);
      }
      const admitted = queryFor("https://client.example.com/done", { ...fault, client_id: ADMITTED.name });
      const { began } = await begin(gateway, admitted);
      expect(began.headers.get("location")).toMatch(/^https:\/\/client\.example\.com\/done\?error=/);
    }
    const declined = await authorize(gateway, queryFor("https://client.example.com/done"), { agent: null });
    expect(declined.href).toMatch(/^https:\/\/client\.example\.com\/done\?error=access_denied/);
  });
});

describe("no redirect, and a page for the person, for", () => {
  it.each<[string, readonly string[]]>([
    [
      "another host or path",
      [
        "https://evil.example.com/callback",
        "https://client.example.com.evil.example.com/done",
        "https://client.example.com./done",
        "https://client.example.com",
        "http://client.example.com/done",
        "http://127.0.0.1:43117/callback/../evil",
        "http://127.0.0.1:43117/callback?next=https://evil.example.com",
        "https://client.example.com/done?",
        "//client.example.com/done",
        "/done",
      ],
    ],
    [
      "another case",
      [
        "https://client.example.com/Done",
        "https://CLIENT.example.com/done",
        "HTTPS://client.example.com/done",
        "http://127.0.0.1:43117/CALLBACK",
        "DESK://callback",
      ],
    ],
    ["a trailing slash", ["https://client.example.com/done/", "http://127.0.0.1:43117/callback/", "desk://callback/"]],
    [
      "a user name",
      [
        "https://user@client.example.com/done",
        "https://client.example.com@evil.example.com/done",
        "http://evil@127.0.0.1:43117/callback",
        "http://u:p@127.0.0.1:43117/callback",
        "http://@127.0.0.1:43117/callback",
        "http://127.0.0.1:80@evil.example.com/callback",
        "http://127.0.0.1:43117\\@evil.example.com/callback",
      ],
    ],
    [
      "another port of a host",
      [
        "https://client.example.com:443/done",
        "https://client.example.com:444/done",
        "https://client.example.com:/done",
        "https://client.example.com:08443/done",
      ],
    ],
    [
      "another name of this computer",
      [
        "http://localhost:43117/callback",
        "http://127.0.0.1.:43117/callback",
        "http://127.0.0.1.evil.example.com/callback",
        "http://127.1:43117/callback",
        "http://127.0.0.2:43117/callback",
        "http://2130706433:43117/callback",
        "http://0x7f000001:43117/callback",
        "http://0177.0.0.1:43117/callback",
        "http://0.0.0.0:43117/callback",
        "http://[0:0:0:0:0:0:0:1]:43117/callback",
        "http://[::ffff:127.0.0.1]:43117/callback",
        "http://[::]:43117/callback",
        "https://127.0.0.1:43117/callback",
        "http://127.0.0.1:43117x/callback",
        "http://127.0.0.1:99999/callback",
      ],
    ],
    [
      "another scheme",
      [
        "desk2://callback",
        "desk:callback",
        "desk://callback/more",
        "desk://evil",
        "com.example.desk:/callback?x=1",
        "com.example.desk://callback",
        "javascript:alert(1)",
        "JavaScript:alert(1)//desk://callback",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc/passwd",
        "blob:https://client.example.com/1",
      ],
    ],
    [
      "a fragment",
      [
        "https://client.example.com/done#",
        "https://client.example.com/done#x",
        "http://127.0.0.1:43117/callback#x",
        "desk://callback#x",
      ],
    ],
    [
      "another encoding",
      [
        "https://client.example.com/%64one",
        "https://client.example.com/%2564one",
        "https://client.example.com/x/../done",
        "https://client.example.com/x/%2e%2e/done",
        "https://client.example.com/done%2f",
        "https://client.example.com/done%00",
        "https://client.example.com/done%0d%0alocation:%20https://evil.example.com",
        "https%3A%2F%2Fclient.example.com%2Fdone",
        "https:/client.example.com/done",
        "https:client.example.com/done",
        "https:\\\\client.example.com\\done",
        " https://client.example.com/done",
        "https://client.example.com/done ",
        "https://client.example.com/done\n",
        "\thttps://client.example.com/done",
        "https://client.example.com/done\0",
        "https://ⓒlient.example.com/done",
        "",
      ],
    ],
  ])("%s", async (_what, addresses) => {
    for (const redirect of addresses)
      // A second fault must not be reported to an address that is not registered either.
      for (const changes of [{}, { response_type: "token" }, { resource: null }, { code_challenge: null }]) {
        const { began } = await begin(gateway, queryFor(redirect, changes));
        expect([redirect, began.status, began.headers.get("location")]).toEqual([redirect, 400, null]);
        expect(began.headers.get("content-type")).toContain("text/html");
        const page = await began.text();
        expect(page).toContain("The connection failed");
        expect(page).not.toMatch(/<(?:a|form|script|img|iframe|meta http-equiv)\b/i);
      }
  });

  it("no address, and two of them", async () => {
    const twice = queryFor("https://client.example.com/done");
    twice.append("redirect_uri", "https://evil.example.com/callback");
    for (const query of [queryFor("", { redirect_uri: null }), twice]) {
      const { began } = await begin(gateway, query);
      expect([began.status, began.headers.get("location")]).toEqual([400, null]);
    }
  });
});

describe("a client document is refused with", () => {
  it.each([
    "http://client.example.com/done",
    "https://client.example.com/done#part",
    "javascript:alert(1)",
    "data:text/html,x",
    "file:///tmp/x",
    "https://127.0.0.1/callback",
    "//client.example.com/done",
    "done",
  ])("the address %s, for a native client and for a web client", async (redirect) => {
    for (const type of ["native", "web"]) {
      const id = `https://client.example.com/${type}-${encodeURIComponent(redirect)}`;
      documents.set(id, { client_id: id, application_type: type, redirect_uris: [redirect] });
      const { began } = await begin(gateway, queryFor(redirect, { client_id: id }));
      expect([type, began.status, began.headers.get("location")]).toEqual([type, 400, null]);
      documents.delete(id);
    }
  });
});
