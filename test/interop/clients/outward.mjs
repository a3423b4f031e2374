// The client that the conformance suite tests: asks the test's process to link an account at the suite's server and to call.
const [control = "", url = ""] = process.argv.slice(2);
const { MCP_CONFORMANCE_SCENARIO: scenario, MCP_CONFORMANCE_CONTEXT: context = "{}" } = process.env;
const answer = await fetch(control, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ url, scenario, context: JSON.parse(context) }),
});
console.log(await answer.text());
process.exitCode = answer.ok ? 0 : 1;
