import { ActionIcon } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconTrash, type IconX } from '@tabler/icons-react'

interface RowButtonsProps {
  name: string
  /** Their names for `useRowFocus` are “up-”, “down-” and “remove-” with this. */
  focusName: string
  index: number
  count: number
  move: (to: number) => void
  remove: () => void
}

export function RowButtons({ name, focusName, index, count, move, remove }: RowButtonsProps) {
  const steps = [
    { way: 'up', Icon: IconArrowUp, to: index - 1 },
    { way: 'down', Icon: IconArrowDown, to: index + 1 },
  ]
  return (
    <>
      {steps.map(({ way, Icon, to }) => (
        <IconButton
          key={way}
          label={`Move ${name} ${way}`}
          Icon={Icon}
          focusName={`${way}-${focusName}`}
          disabled={to < 0 || to === count}
          onClick={() => move(to)}
        />
      ))}
      <IconButton label={`Remove ${name}`} Icon={IconTrash} focusName={`remove-${focusName}`} onClick={remove} />
    </>
  )
}

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
