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
  showLabel?: boolean | undefined;
  /** The icon, to distinguish two buttons side by side. */
  icon?: LucideIcon | undefined;
  className?: string | undefined;
}

/** Copies text and confirms it. */
export function CopyButton({ text, label, showLabel = false, icon: Icon = Copy, className }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    if (!(await copyText(typeof text === "string" ? text : text()))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
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

/** Copies text. Says why when the browser does not. Returns whether it was copied. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    toast({
      title: "Could not copy",
      description:
        "A browser copies only on https and on this machine, and it may block the clipboard. Select the text and copy it.",
      tone: "failed",
    });
    return false;
  }
}
