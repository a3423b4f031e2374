/** Switched by `togglePolicy`; it gives everyone the tools in code. */
const POLICY = { name: "everyone-calculates", everyone: true, groups: ["helpers"] };

/** Makes a function that switches a policy of the workload off, or on again, and answers the revision of the saved change. */
export async function togglePolicy(url: string, token: string): Promise<() => Promise<number>> {
  const address = `${url}/api/admin/policies/${POLICY.name}`;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const revisionOf = async (answer: Response): Promise<number> => {
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return (JSON.parse(text) as { readonly revision: number }).revision;
  };
  let last = await revisionOf(await fetch(address, { headers }));
  let active = true;
  return async () => {
    active = !active;
    const sent = { method: "PUT", headers: { ...headers, "if-match": `"${last}"` } };
    last = await revisionOf(await fetch(address, { ...sent, body: JSON.stringify({ ...POLICY, active }) }));
    return last;
  };
}
