import { ActionIcon, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props {
  label: string
  onClick: () => void
  pressed?: boolean
  keyName?: string
  children: ReactNode
}

export function PdfToolbarButton({ label, onClick, pressed, keyName, children }: Props) {
  return (
    <Tooltip label={keyName ? `${label} (${keyName})` : label}>
      <ActionIcon
        variant={pressed ? 'light' : 'subtle'}
        color={pressed ? 'ink' : 'gray'}
        size={36}
        aria-label={label}
        aria-pressed={pressed}
        aria-keyshortcuts={keyName}
        onClick={onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  )
}
