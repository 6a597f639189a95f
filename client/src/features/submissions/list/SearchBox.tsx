import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import classes from './SubmissionToolbar.module.css'

/** The server is asked when the typing rests. */
const DEBOUNCE_MS = 250

export function SearchBox({ value, change }: { value: string; change: (text: string) => void }) {
  const [text, setText] = useState(value)
  const said = useRef(value)
  // Another search came with the address: back, or a link.
  useEffect(() => {
    if (value === said.current) return
    said.current = value
    setText(value)
  }, [value])

  const latest = useRef(change)
  latest.current = change
  useEffect(() => {
    if (text.trim() === said.current) return
    const timer = setTimeout(() => {
      said.current = text.trim()
      latest.current(said.current)
    }, DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])

  return (
    <TextInput
      aria-label="Search submissions"
      placeholder="Name, file or #id"
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
