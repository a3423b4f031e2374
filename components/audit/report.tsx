import { ShieldAlert, ShieldCheck } from "lucide-react";
import { milliseconds } from "@/components/charts/milliseconds";
import { bodiesInWords } from "@/components/executions/body-words";
import { counted } from "@/components/ui/counted";
import { Headers, Table, Td } from "@/components/ui/table";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import type { LogDefect, VerifyOutput } from "@/lib/contracts/log/seal";
import { LOG_DEFECTS } from "@/lib/resources/parts/words";

/** The result of a verification. */
export function Report({ report }: { report: VerifyOutput }) {
  const { intact, at, durationMs, seals, rows, bodies, erased, dropped, found, findings } = report;
  const Icon = intact ? ShieldCheck : ShieldAlert;
  return (
    <section aria-label="Result" className="flex flex-col gap-4">
      <div className={`flex items-start gap-3 rounded-lg px-4 py-3 ${intact ? "bg-allow-soft" : "bg-deny-soft"}`}>
        <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${intact ? "text-allow" : "text-deny"}`} />
        <div className="flex min-w-0 flex-col gap-0.5 text-sm">
          <h2 className={`font-medium ${intact ? "text-allow" : "text-deny"}`}>
            {intact ? "The log is intact" : `${counted(found, "problem")} found`}
          </h2>
          <p className="text-pretty text-ink">
            {counted(rows, "row")} and {bodiesInWords(bodies)} under {counted(seals, "seal")} were compared{" "}
            <Time at={at} />, in {milliseconds(durationMs)}.
            {erased > 0 && ` Authorized erasures removed ${bodiesInWords(erased)}.`}
          </p>
          {dropped.map(({ month, archive, at: droppedAt, by, rows: droppedRows }) => (
            <p key={month} className="text-pretty text-ink">
              {month}: {counted(droppedRows, "row")} dropped <Time at={droppedAt} /> by {by}, with the export{" "}
              <span className="font-mono text-xs break-all">{archive}</span>. Its seals are intact.
            </p>
          ))}
        </div>
      </div>
      {findings.length > 0 && <Problems findings={findings} found={found} />}
    </section>
  );
}

function Problems({ findings, found }: { findings: readonly LogDefect[]; found: number }) {
  return (
    <>
      <Table label="Problems">
        <Headers of={["Problem", "Seal", "Call", ["Details", "w-full"]]} />
        <tbody>
          {findings.map((defect) => (
            <tr key={`${defect.kind} ${defect.seal} ${defect.callId} ${defect.detail}`}>
              <Td className="whitespace-nowrap">{LOG_DEFECTS[defect.kind]}</Td>
              <Td className="text-right tabular-nums">{defect.seal ?? "—"}</Td>
              <Td className="font-mono text-xs whitespace-nowrap">
                {defect.callId === null ? (
                  "—"
                ) : (
                  <TextLink href={`/admin/executions/${encodeURIComponent(defect.callId)}`}>{defect.callId}</TextLink>
                )}
              </Td>
              <Td className="text-muted">{defect.detail}</Td>
            </tr>
          ))}
        </tbody>
      </Table>
      {found > findings.length && (
        <p className="text-xs text-muted">
          Shows the first {number(findings.length)} of {number(found)} problems. To list all, run npx quartermaster
          verify
        </p>
      )}
    </>
  );
}

function number(value: number): string {
  return value.toLocaleString("en");
}
