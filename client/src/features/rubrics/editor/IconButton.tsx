import { ActionIcon } from '@mantine/core'
import type { IconX } from '@tabler/icons-react'

export function IconButton(props: {
  label: string
  Icon: typeof IconX
  onClick: () => void
  disabled?: boolean
  /** By which `useRowFocus` finds it. */
  focusName?: string
}) {
  const { label, Icon, onClick, disabled, focusName } = props
  return (
    <ActionIcon
      color="gray"
      size={36}
      aria-label={label}
      title={label}
      data-focus={focusName}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon size={18} aria-hidden />
    </ActionIcon>
  )
}
