import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'

export function useListOrGroup() {
  const onPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false })
  const [onList, setOnList] = useState(true)
  const list = useRef<HTMLDivElement>(null)
  const pane = useRef<HTMLElement>(null)
  const shown = useRef(onList)
  useEffect(() => {
    if (shown.current === onList) return
    shown.current = onList
    if (!onPhone) return
    window.scrollTo(0, 0)
    const { current } = onList ? list : pane
    current?.focus({ preventScroll: true })
  }, [onList, onPhone])
  return { onList, setOnList, list, pane }
}

export function useAskedAnswer(): number | null {
  const [address] = useSearchParams()
  return Number(address.get('answer')) || null
}
