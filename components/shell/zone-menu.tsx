"use client";

import { Clock } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Menu, MenuRadio } from "@/components/ui/menu";
import { changeZone, useZone } from "@/components/ui/zone";

/** The switch between local time and UTC. */
export function ZoneMenu() {
  const zone = useZone();
  return (
    <Menu
      trigger={
        <Button variant="ghost" size="icon" aria-label="Clock" title="Clock" className="max-sm:hidden">
          <Clock aria-hidden />
        </Button>
      }
    >
      <MenuRadio
        label="Clock"
        value={zone}
        onChange={changeZone}
        options={[
          { value: "local", label: "Local time" },
          { value: "utc", label: "UTC" },
        ]}
      />
    </Menu>
  );
}
