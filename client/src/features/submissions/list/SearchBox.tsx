import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import classes from './SubmissionToolbar.module.css'

/** The server is asked this long after the last keystroke, in ms. */
const DEBOUNCE_MS = 250

interface Props {
  value: string
  change: (text: string) => void
  placeholder: string
}

export function SearchBox({ value, change, placeholder }: Props) {
  const [text, setText] = useState(value)
  const lastSent = useRef(value)
  // Another search came with the address: back, or a link.
  useEffect(() => {
    if (value === lastSent.current) return
    lastSent.current = value
    setText(value)
  }, [value])

  const latest = useRef(change)
  latest.current = change
  useEffect(() => {
    if (text.trim() === lastSent.current) return
    const timer = setTimeout(() => {
      lastSent.current = text.trim()
      latest.current(lastSent.current)
    }, DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])

  return (
    <TextInput
      aria-label="Search submissions"
      placeholder={placeholder}
      type="search"
      size="sm"
      maxLength={200}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      className={classes.search}
    />
  )
}
