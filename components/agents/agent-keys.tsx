import { Plus } from "lucide-react";
import { HomeCard } from "@/components/agents/home-card";
import { Latest } from "@/components/agents/latest-list";
import { storeDraft } from "@/components/resource/editor/stored-draft";
import { useGo } from "@/components/resource/go";
import { useCan } from "@/components/resource/who";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import type { Row } from "@/lib/resources";

/** The API keys of an agent, and a button that creates one. */
export function AgentKeys({ agent }: { agent: string }) {
  const go = useGo();
  const mayWrite = useCan("keys:write");
  const create = () =>
    go(storeDraft("api-keys", { name: `${agent}-key`.slice(0, 63), agent, expiresAt: null, enabled: true }, "agent"));
  return (
    <HomeCard title="API keys" href={`/admin/api-keys?${new URLSearchParams({ agent })}`}>
      <Latest<Row<"api-keys">>
        list="api-keys"
        filters={{ agent }}
        none="No API keys yet. Create one to connect this agent."
      >
        {(key) => (
          <>
            <TextLink href={`/admin/api-keys/${encodeURIComponent(key.name)}`}>{key.name}</TextLink>
            {!key.enabled && <Badge tone="warn">disabled</Badge>}
            <span className="ml-auto text-muted">
              {key.lastUsedAt === null ? (
                "never used"
              ) : (
                <>
                  used <Time at={key.lastUsedAt} />
                </>
              )}
            </span>
          </>
        )}
      </Latest>
      {mayWrite && (
        <div>
          <Button size="sm" onClick={create}>
            <Plus aria-hidden /> Create API key
          </Button>
        </div>
      )}
    </HomeCard>
  );
}
