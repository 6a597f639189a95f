import { ActionIcon, type ActionIconProps, Tooltip } from '@mantine/core'
import type { ComponentProps } from 'react'

interface Props extends ActionIconProps, Omit<ComponentProps<'button'>, keyof ActionIconProps> {
  label: string
  /** Where it says another thing than the label. */
  tooltip?: string
  pressed?: boolean
  keyName?: string
}

/** An icon whose words, with its key, are shown beside it. */
export function ToolButton({ label, tooltip = label, pressed, keyName, ...button }: Props) {
  const isOff = button.disabled || button['aria-disabled'] === true
  return (
    <Tooltip label={keyName ? `${tooltip} (${keyName})` : tooltip} disabled={isOff}>
      <ActionIcon
        variant={pressed ? 'light' : 'subtle'}
        color={pressed ? 'ink' : 'gray'}
        size={34}
        aria-label={label}
        aria-pressed={pressed}
        aria-keyshortcuts={keyName}
        {...button}
      />
    </Tooltip>
  )
}
