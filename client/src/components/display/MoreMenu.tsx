import { ActionIcon, type ActionIconProps, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface Props extends Pick<ActionIconProps, 'color' | 'disabled' | 'size' | 'variant'> {
  label: string
  width?: number
  iconSize?: number
  children: ReactNode
}

export function MoreMenu({ label, width, iconSize = 18, children, ...button }: Props) {
  return (
    <Menu position="bottom-end" width={width}>
      <Menu.Target>
        <ActionIcon color="gray.7" size={36} aria-label={label} {...button}>
          <IconDots size={iconSize} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
