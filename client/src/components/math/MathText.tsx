import { hasMath, splitMath } from '@assay/shared/math-text.ts'
import { useLayoutEffect, useRef, useState } from 'react'
import classes from './MathText.module.css'

export function MathText({ children }: { children: string }) {
  if (!hasMath(children)) return children
  return splitMath(children).map((part, i) => {
    const key = `${i} ${part.kind === 'text' ? '' : part.tex}`
    return part.kind === 'text' ? part.text : <Formula key={key} tex={part.tex} display={part.display} />
  })
}

function Formula({ tex, display }: { tex: string; display: boolean }) {
  const place = useRef<HTMLSpanElement>(null)
  const [drawn, setDrawn] = useState(false)
  useLayoutEffect(() => {
    let wanted = true
    import('./draw-math.ts')
      .then(({ drawMath }) => {
        if (wanted && place.current) setDrawn(drawMath(tex, display, place.current))
      })
      // Without the network the formula stays as typed.
      .catch(() => undefined)
    return () => {
      wanted = false
    }
  }, [tex, display])
  const signs = display ? '$$' : '$'
  return (
    <>
      {!drawn && `${signs}${tex}${signs}`}
      <span ref={place} className={classes.formula} data-display={display || undefined} hidden={!drawn} />
    </>
  )
}

export function MathPreview({ text }: { text: string }) {
  if (!hasMath(text)) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div className={classes.preview} role="group" aria-label="Preview">
      <span className="hint" aria-hidden>
        Preview
      </span>
      <p>
        <MathText>{text}</MathText>
      </p>
    </div>
  )
}
