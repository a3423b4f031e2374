"use client";

import { Check, Copy, type LucideIcon } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/overlays/toast";

interface CopyButtonProps {
  /** The text, or the function that creates it on a press. */
  text: string | (() => string);
  /** The label: "Copy id". */
  label: string;
  /** Shows the label next to the icon. */
  showLabel?: boolean | undefined;
  /** The icon, to distinguish two buttons side by side. */
  icon?: LucideIcon | undefined;
  className?: string | undefined;
}

/** Copies text and confirms it. */
export function CopyButton({ text, label, showLabel = false, icon: Icon = Copy, className }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === "string" ? text : text());
      setCopied(true);
      setTimeout(() => setCopied(false), 1500);
    } catch {
      toast({
        title: "Could not copy",
        description:
          "The browser blocked access to the clipboard. Allow it in the browser, or select the text and copy it.",
        tone: "failed",
      });
    }
  };
  return (
    <Button
      variant="ghost"
      size={showLabel ? "sm" : "icon"}
      onClick={() => void copy()}
      aria-label={copied ? "Copied" : label}
      title={label}
      className={className}
    >
      {copied ? <Check aria-hidden className="text-allow" /> : <Icon aria-hidden />}
      {showLabel && (copied ? "Copied" : label)}
    </Button>
  );
}
