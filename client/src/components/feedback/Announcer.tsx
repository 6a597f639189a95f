import { VisuallyHidden } from '@mantine/core'
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'

const AnnounceContext = createContext<(words: string) => void>(() => {})

/** Says in words what changed on the screen, for who does not see it: a row moved, a row gone. */
export const useAnnounce = () => useContext(AnnounceContext)

export function Announcer({ children }: { children: ReactNode }) {
  const [said, setSaid] = useState({ words: '', times: 0 })
  const say = useCallback((words: string) => setSaid(({ times }) => ({ words, times: times + 1 })), [])
  return (
    <AnnounceContext value={say}>
      {children}
      {/* The same words again are news again: another space makes them so. */}
      <VisuallyHidden role="status">
        {said.words}
        {said.times % 2 === 1 ? '\u00a0' : ''}
      </VisuallyHidden>
    </AnnounceContext>
  )
}
