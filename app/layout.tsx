import { GeistMono } from "geist/font/mono";
import { GeistSans } from "geist/font/sans";
import type { Metadata, Viewport } from "next";
import { cookies, headers } from "next/headers";
import type { ReactNode } from "react";
import { Providers } from "@/components/shell/providers";
import { THEME_COOKIE, toTheme } from "@/components/shell/theme";
import "@/app/globals.css";

export const metadata: Metadata = {
  title: { default: "Quartermaster", template: "%s · Quartermaster" },
  description: "Decides which tools an AI agent may see and call.",
  robots: { index: false },
};

export const viewport: Viewport = { width: "device-width", initialScale: 1, colorScheme: "light dark" };

/** The theme comes from its cookie on the server: the first paint is already right. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const theme = toTheme((await cookies()).get(THEME_COOKIE)?.value);
  const nonce = (await headers()).get("x-nonce") ?? undefined;
  return (
    <html lang="en" data-theme={theme} className={`${GeistSans.variable} ${GeistMono.variable} font-sans`}>
      <body>
        <Providers nonce={nonce}>
          <div className="root">{children}</div>
        </Providers>
      </body>
    </html>
  );
}
