import { Plug } from "lucide-react";
import { hrefOf } from "@/components/resource/view";
import { LinkButton } from "@/components/ui/link-button";

/** The part of the address that leads to the card. */
export const CONNECT = "connect";

/** Leads to the card that connects an agent, which is below the others once the agent has called. */
export function ConnectLink({ agent }: { agent: string }) {
  return (
    <LinkButton size="sm" href={`${hrefOf("agents", agent)}#${CONNECT}`}>
      <Plug aria-hidden /> Connect
    </LinkButton>
  );
}
