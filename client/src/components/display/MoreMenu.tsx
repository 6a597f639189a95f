import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { ReactNode } from 'react'

export function MoreMenu({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon color="gray.7" size={36} aria-label={label}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
