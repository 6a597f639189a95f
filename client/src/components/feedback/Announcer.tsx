import { VisuallyHidden } from '@mantine/core'
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'

const AnnounceContext = createContext<(words: string) => void>(() => {})

export const useAnnounce = () => useContext(AnnounceContext)

export function Announcer({ children }: { children: ReactNode }) {
  const [announcement, setAnnouncement] = useState({ words: '', times: 0 })
  const announce = useCallback((words: string) => setAnnouncement(({ times }) => ({ words, times: times + 1 })), [])
  return (
    <AnnounceContext value={announce}>
      {children}
      {/* Another space makes a repeated message differ, so it is announced again. */}
      <VisuallyHidden role="status">
        {announcement.words}
        {announcement.times % 2 === 1 ? '\u00a0' : ''}
      </VisuallyHidden>
    </AnnounceContext>
  )
}
