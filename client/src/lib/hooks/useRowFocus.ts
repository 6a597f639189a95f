import { useEffect, useReducer, useRef } from 'react'

/**
 * Focuses the first enabled of the named controls (`data-focus`) once rows have come, gone or moved: a button that goes
 * must not take the focus along. Else the root, where it can have it. `first`: at once.
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
    const found = names.flatMap((name) => free.find(({ dataset }) => dataset.focus === name) ?? [])
    ;(found[0] ?? root.current)?.focus()
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
