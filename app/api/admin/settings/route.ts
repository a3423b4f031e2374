import { adminRoute } from "@/app/api/admin/admin-route";
import { CONFIGURATION_OPERATIONS } from "@/lib/contracts/operations/configuration-operations";
import { planSettings, readSettings, saveSettings, type VersionedSettings } from "@/lib/store/config/settings";

export const GET = adminRoute(CONFIGURATION_OPERATIONS.read_settings, async () => answer(await readSettings()));

export const PUT = adminRoute(CONFIGURATION_OPERATIONS.replace_settings, async ({ caller, query, body, ifMatch }) =>
  query.dryRun
    ? await planSettings(caller.actor, body, ifMatch())
    : answer(await saveSettings(caller.actor, body, ifMatch())),
);

function answer({ settings, version }: VersionedSettings): Response {
  return Response.json({ ...settings, version }, { headers: { etag: `"${version}"` } });
}
