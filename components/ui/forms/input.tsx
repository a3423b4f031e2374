import { Field } from "@base-ui/react/field";
import type { ComponentProps } from "react";
import { cn } from "@/components/ui/cn";
import { controlStyle } from "@/components/ui/forms/control-style";

interface InputProps extends Omit<ComponentProps<typeof Field.Control>, "className"> {
  className?: string | undefined;
  /** Code-like text: claim paths, ids, patterns. */
  mono?: boolean | undefined;
}

/** One line of text; inside a `Field` it finds its label, hint and error by itself. */
export function Input({ className, mono = false, ...rest }: InputProps) {
  return (
    <Field.Control
      autoComplete="off"
      // Text gets the direction of its language; code does not.
      {...(!mono && { dir: "auto" })}
      {...rest}
      className={cn(controlStyle, "h-8 max-sm:h-10", mono && "font-mono text-xs", className)}
    />
  );
}
