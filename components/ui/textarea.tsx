"use client";

import { Field } from "@base-ui/react/field";
import type { ComponentProps } from "react";
import { cn } from "@/components/ui/cn";
import { controlStyle } from "@/components/ui/control-style";

interface TextareaProps extends ComponentProps<"textarea"> {
  mono?: boolean | undefined;
}

/** Several lines of text; grows with what is typed where the browser can. */
export function Textarea({ className, mono = false, ...rest }: TextareaProps) {
  return (
    <Field.Control
      render={
        <textarea
          spellCheck={!mono}
          rows={3}
          {...rest}
          className={cn(
            controlStyle,
            "field-sizing-content min-h-16 resize-y py-1.5",
            mono && "font-mono text-xs",
            className,
          )}
        />
      }
    />
  );
}
