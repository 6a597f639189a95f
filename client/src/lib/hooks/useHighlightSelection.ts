import { useCallback, useState } from 'react'

export type HighlightSelection = ReturnType<typeof useHighlightSelection>

export function useHighlightSelection() {
  const [selected, selectOnPaper] = useState<string | null>(null)
  const [hovered, hover] = useState<string | null>(null)
  // What the paper should bring into view; a new object each time.
  const [scrollTarget, setScrollTarget] = useState<{ group: string } | null>(null)
  const selectInCard = useCallback((group: string) => {
    selectOnPaper(group)
    setScrollTarget({ group })
  }, [])
  const showOnPaper = useCallback((group: string) => {
    hover(group)
    setScrollTarget({ group })
  }, [])
  return { selected, hovered, scrollTarget, selectInCard, selectOnPaper, hover, showOnPaper }
}
