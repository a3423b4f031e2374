import { bind, type Bound } from "@/components/resource/editor/bind";
import { WebhookDeliveries } from "@/components/deliveries/webhook-deliveries";
import { SwitchField } from "@/components/resource/fields/switch-field";
import { TextField } from "@/components/resource/fields/text-field";
import { switchColumn } from "@/components/resource/list/switch-column";
import { Section } from "@/components/resource/section";
import type { FieldsProps, View } from "@/components/resource/view";
import { NAME_COLUMN, textColumn, wideColumn } from "@/components/resource/columns";
import { Badge } from "@/components/ui/badge";
import { Checkbox } from "@/components/ui/forms/checkbox";
import { ErrorText } from "@/components/ui/forms/field";
import { LinkButton } from "@/components/ui/link-button";
import { CodeFact, Fact, Facts } from "@/components/ui/text/facts";
import { Time } from "@/components/ui/time";
import { changedColumn } from "@/components/views/changed-column";
import { NameField } from "@/components/views/name-field";
import { WebhookActions } from "@/components/views/webhooks/webhook-actions";
import { isPlainText } from "@/lib/resources/parts/plain-text";
import type { WebhookInput, WebhookRow } from "@/lib/resources/webhook";
import { EVENT_TYPES, EVENTS, type EventType } from "@/lib/resources/parts/webhook-events";

function Fields({ draft, row }: FieldsProps<"webhooks">) {
  const { url } = draft.value;
  return (
    <>
      <Section
        title="Webhook"
        description="Messages contain ids, names, counts and a link, but no arguments, results or secrets."
      >
        <NameField draft={draft} label="Name" hint="The name cannot be changed later" fixed />
        <TextField
          {...bind(draft, "url")}
          label="URL"
          mono
          placeholder="https://example.com/hooks/quartermaster"
          hint={
            isPlainText(url) ? (
              <span className="text-warn">With http, others can read the messages. Use https.</span>
            ) : (
              "Every role can read the URL. Do not put secrets in it."
            )
          }
        />
        <TextField {...bind(draft, "description")} label="Description" multiline />
        <SwitchField {...bind(draft, "active")} label="Active" hint="If off, deliveries are dropped" />
      </Section>
      <Section
        title="Events"
        description="Each event sends one message. For refusals, a tool and a reason make one event in 30 days, for all callers together. All unknown tools count as one tool."
      >
        <Events {...bind(draft, "events")} />
      </Section>
      {row !== null && (
        <Section title="Signature" description="Each message is signed as Standard Webhooks (v1) defines.">
          <Facts>
            <CodeFact label="Secret" code={`whsec_…${row.lastFour}`} />
            {row.previousUntil !== null && (
              <Fact label="Previous secret">
                also signs, until <Time at={row.previousUntil} />
              </Fact>
            )}
          </Facts>
        </Section>
      )}
    </>
  );
}

function Events({ value, onChange, error, readOnly, path }: Bound<EventType[]>) {
  const turn = (type: EventType, on: boolean) =>
    onChange(EVENT_TYPES.filter((each) => (each === type ? on : value.includes(each))));
  return (
    <div data-field={path} role="group" aria-label="Events" className="flex flex-col gap-2">
      {EVENT_TYPES.map((type) => (
        <Checkbox
          key={type}
          checked={value.includes(type)}
          onChange={(on) => turn(type, on)}
          disabled={readOnly}
          label={EVENTS[type]}
          hint={<code className="font-mono">{type}</code>}
        />
      ))}
      <ErrorText text={error} />
    </div>
  );
}

function toInput({ name, description, url, events, active }: WebhookRow): WebhookInput {
  return { name, description, url, events, active };
}

/** Addresses that receive events. */
export const webhooks: View<"webhooks"> = {
  sort: "name",
  filters: [{ key: "event", label: "Event", options: EVENT_TYPES.map((value) => ({ value, label: EVENTS[value] })) }],
  columns: [
    NAME_COLUMN,
    wideColumn("url", "URL", (row) => row.url, { mono: true }),
    textColumn("events", "Events", ({ events }) => (events.length === 1 ? events[0] : events.length)),
    switchColumn("webhooks", "active", { toInput }),
    changedColumn(),
  ],
  blank: { name: "", description: "", url: "", events: [], active: true },
  toInput,
  secretOf: (answer) =>
    "secret" in answer && typeof answer.secret === "string"
      ? { title: `Signing secret of webhook ${answer.name}`, what: "signing secret", secret: answer.secret }
      : null,
  Badges: ({ row }) => (row.active ? null : <Badge tone="warn">{row.switchedOff ?? "off"}</Badge>),
  RowActions: WebhookActions,
  Actions: () => (
    <LinkButton href="/admin/deliveries" variant="ghost">
      Deliveries
    </LinkButton>
  ),
  Detail: [{ value: "deliveries", label: "Deliveries", Panel: WebhookDeliveries }],
  Fields,
};
