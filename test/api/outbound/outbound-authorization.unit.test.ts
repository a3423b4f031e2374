import { expect, it } from "vitest";
import { authorize, type Signed } from "@/lib/outbound/authorization";

// The examples of Amazon S3's API reference, "Authenticating Requests: Using the Authorization Header".

const KEY = "S3 us-east-1 AKIAIOSFODNN7EXAMPLE wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
const NOW = new Date("2013-05-24T00:00:00.000Z");
const BUCKET = "https://examplebucket.s3.amazonaws.com";

it.each<[string, Signed, string]>([
  [
    "puts an object whose name has a sign",
    {
      method: "PUT",
      url: `${BUCKET}/test$file.text`,
      headers: { date: "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY" },
      body: "Welcome to Amazon S3.",
    },
    "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
  ],
  [
    "asks with a parameter without a value",
    { method: "GET", url: `${BUCKET}/?lifecycle` },
    "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
  ],
  [
    "asks with parameters",
    { method: "GET", url: `${BUCKET}/?prefix=J&max-keys=2` },
    "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
  ],
])("a request that %s is signed as S3's examples are", (_what, request, signature) => {
  const { authorization = "", ...headers } = authorize(KEY, request, NOW);
  expect(authorization.split("Signature=")[1]).toBe(signature);
  expect(authorization).toContain("Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request");
  expect(authorization).not.toContain("wJalrXUtnFEMI");
  expect(headers).toMatchObject({ "x-amz-date": "20130524T000000Z" });
});

it("any other authorization is sent unchanged; without one, no header is sent", () => {
  const request: Signed = { method: "GET", url: `${BUCKET}/` };
  expect(authorize("Bearer x", request, NOW)).toEqual({ authorization: "Bearer x" });
  expect(authorize(undefined, request, NOW)).toEqual({});
});

it.each(["S3 ", "S3 us-east-1 AKIA", `${KEY} more`])(
  "a key of S3 that is not whole is refused, not sent (%s)",
  (key) => {
    expect(() => authorize(key, { method: "GET", url: BUCKET }, NOW)).toThrow("`S3 region key-id secret`");
  },
);
