import { ActionIcon } from '@mantine/core'
import type { IconX } from '@tabler/icons-react'
import { useEffect, useReducer, useRef } from 'react'

/**
 * Focuses the first enabled of the named controls (`data-focus`) once rows have come, gone or moved: a button that goes
 * must not take the focus along. `first`: at once.
 */
export function useRowFocus<E extends HTMLElement>(first: string | null = null) {
  const root = useRef<E>(null)
  const wanted = useRef<readonly string[] | null>(first === null ? null : [first])
  const [, render] = useReducer((times: number) => times + 1, 0)
  useEffect(() => {
    const names = wanted.current
    if (names === null) return
    wanted.current = null
    const controls = [...(root.current?.querySelectorAll<HTMLElement>('[data-focus]') ?? [])]
    const free = controls.filter((control) => !control.matches(':disabled'))
    for (const name of names) {
      const found = free.find(({ dataset }) => dataset.focus === name)
      if (found) return found.focus()
    }
  })
  return {
    root,
    focusNext: (...names: string[]) => {
      wanted.current = names
      // Where nothing else changes, there would be no effect.
      render()
    },
  }
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
