import { useCallback, useState } from 'react'

export type HighlightSelection = ReturnType<typeof useHighlightSelection>

export function useHighlightSelection() {
  const [chosen, setChosen] = useState<string | null>(null)
  const [pointed, point] = useState<string | null>(null)
  // What the paper should bring into view; a new object each time.
  const [look, setLook] = useState<{ group: string } | null>(null)
  const chooseInCard = useCallback((group: string) => {
    setChosen(group)
    setLook({ group })
  }, [])
  const showOnPaper = useCallback((group: string) => {
    point(group)
    setLook({ group })
  }, [])
  return {
    showOnPaper,
    selected: chosen,
    hovered: pointed,
    scrollTarget: look,
    selectInCard: chooseInCard,
    selectOnPaper: setChosen,
    hover: point,
  }
}
