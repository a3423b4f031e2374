import { useRouter } from "next/navigation";
import { useState } from "react";
import { LatestChanges } from "@/components/changes/latest-changes";
import { changesHref } from "@/components/changes/changes-href";
import { OpenChange } from "@/components/requests/open-change";
import { DetailLayout } from "@/components/resource/detail/detail-layout";
import { Peek } from "@/components/resource/peek";
import { ObjectHeading } from "@/components/resource/object-heading";
import { useIsShown } from "@/components/resource/use-is-shown";
import { WhenLoaded } from "@/components/resource/when-loaded";
import { useCan } from "@/components/resource/who";
import { DeleteSecret } from "@/components/secrets/delete-secret";
import { Origins, SecretName, Uses } from "@/components/secrets/secret-words";
import { SetSecret } from "@/components/secrets/set-secret";
import { useSecret } from "@/components/secrets/use-secrets";
import { Button } from "@/components/ui/button";
import { Fact, Facts, TimeFact } from "@/components/ui/text/facts";
import type { SecretRow } from "@/lib/resources/secret";

export function SecretPage({ id: name }: { id: string }) {
  const router = useRouter();
  const isShown = useIsShown();
  return (
    <WhenLoaded page of={useSecret(name)} skeleton="m-5 h-48" changes={changesHref("secrets", name)}>
      {(secret) => (
        <DetailLayout
          label="Secret"
          asideLabel="Show history"
          aside={<LatestChanges resource="secrets" id={secret.name} />}
        >
          <ObjectHeading
            title={<SecretName secret={secret} />}
            path={`secrets/${encodeURIComponent(name)}`}
            value={secret}
          >
            <Actions secret={secret} onGone={() => isShown.current && router.push("/admin/secrets")} />
          </ObjectHeading>
          <OpenChange key={name} resource="secrets" id={name} />
          <SecretFacts secret={secret} />
        </DetailLayout>
      )}
    </WhenLoaded>
  );
}

/** The same secret in a peek panel over the list. */
export function SecretPeek({ name, onClose }: { name: string; onClose: () => void }) {
  const href = `/admin/secrets/${encodeURIComponent(name)}`;
  const isShown = useIsShown();
  return (
    <Peek id={name} title={name} description="secret" href={href} onClose={onClose}>
      <WhenLoaded of={useSecret(name)} skeleton="h-48">
        {(secret) => (
          <div className="flex flex-col gap-6">
            <SecretFacts secret={secret} />
            <div className="flex gap-1">
              <Actions secret={secret} onGone={() => isShown.current && onClose()} />
            </div>
          </div>
        )}
      </WhenLoaded>
    </Peek>
  );
}

/** The facts about a secret: everything except its value. */
function SecretFacts({ secret }: { secret: SecretRow }) {
  const { usedBy, origins, setAt, lastUsedAt, readable } = secret;
  return (
    <Facts>
      {!readable && (
        <Fact label="Value">
          <span className="text-deny">
            The current master key cannot decrypt this value. Calls are refused until you set it again.
          </span>
        </Fact>
      )}
      <Fact label="Used by">
        <Uses sources={usedBy} />
      </Fact>
      <Fact label="Sent to">
        <Origins origins={origins} />
      </Fact>
      <TimeFact label="Set" at={setAt} />
      <TimeFact label="Last used" at={lastUsedAt} />
    </Facts>
  );
}

function Actions({ secret, onGone }: { secret: SecretRow; onGone: () => void }) {
  const mayWrite = useCan("secrets:write");
  const [doing, setDoing] = useState<"set" | "delete" | null>(null);
  const close = () => setDoing(null);
  if (!mayWrite) return null;
  return (
    <>
      <Button size="sm" onClick={() => setDoing("set")}>
        Set…
      </Button>
      <Button size="sm" variant="ghost" onClick={() => setDoing("delete")}>
        Delete…
      </Button>
      {doing === "set" && <SetSecret secret={secret} onClose={close} />}
      {doing === "delete" && <DeleteSecret secret={secret} onClose={close} onDeleted={onGone} />}
    </>
  );
}
