import { useState } from "react";
import { ClaimsTable } from "@/components/preview/results/claims-table";
import type { Bound } from "@/components/resource/editor/bind";
import { JsonField } from "@/components/resource/fields/json-field";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { isObject } from "@/lib/access/model/json";
import type { Input } from "@/lib/resources";

/** Claims as rows, or as JSON. */
export function SampleClaims(bound: Bound<Input<"personas">["sampleClaims"]>) {
  const [asJson, setAsJson] = useState(false);
  const { path, value, onChange, readOnly, of } = bound;
  return (
    <div className="flex flex-col gap-1.5">
      {asJson ? (
        <JsonField {...bound} label="Claims" rows={10} />
      ) : (
        <Field label="Claims" group path={path} error={of.errorBelow(path)}>
          <ClaimsTable
            claims={isObject(value) ? value : {}}
            onChange={(claims) => onChange(claims as typeof value)}
            readOnly={readOnly}
          />
        </Field>
      )}
      {/* Rows cannot show text that does not parse, so it stays until it is mended. */}
      <Button
        size="sm"
        variant="ghost"
        className="-ml-2 self-start"
        disabled={asJson && bound.error !== undefined}
        onClick={() => setAsJson(!asJson)}
      >
        {asJson ? "As a table" : "As JSON"}
      </Button>
    </div>
  );
}
