import { VisuallyHidden } from '@mantine/core'
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'

const AnnounceContext = createContext<(words: string) => void>(() => {})

/** Announces changes on the screen to screen readers: a row moved, a row removed. */
export const useAnnounce = () => useContext(AnnounceContext)

export function Announcer({ children }: { children: ReactNode }) {
  const [said, setSaid] = useState({ words: '', times: 0 })
  const say = useCallback((words: string) => setSaid(({ times }) => ({ words, times: times + 1 })), [])
  return (
    <AnnounceContext value={say}>
      {children}
      {/* A repeated message is announced again: another space makes it differ. */}
      <VisuallyHidden role="status">
        {said.words}
        {said.times % 2 === 1 ? '\u00a0' : ''}
      </VisuallyHidden>
    </AnnounceContext>
  )
}
