import { ActionIcon, Tooltip } from '@mantine/core'
import type { ComponentProps } from 'react'

type Props = Pick<ComponentProps<'button'>, 'onClick' | 'disabled' | 'children' | 'ref'> & {
  label: string
  pressed?: boolean
  keyName?: string
}

export function PdfToolbarButton({ label, pressed, keyName, children, ...rest }: Props) {
  return (
    <Tooltip label={keyName ? `${label} (${keyName})` : label}>
      <ActionIcon
        variant={pressed ? 'light' : 'subtle'}
        color={pressed ? 'ink' : 'gray'}
        size={34}
        aria-label={label}
        aria-pressed={pressed}
        aria-keyshortcuts={keyName}
        {...rest}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  )
}
