import { Textarea, type TextareaProps } from '@mantine/core'
import { MathPreview } from './MathText.tsx'

type Props = Omit<TextareaProps, 'value' | 'className'> & { value?: string; className?: string }

export function MathTextarea({ value = '', className, ...props }: Props) {
  return (
    <div className={className}>
      <Textarea value={value} {...props} />
      <MathPreview text={value} />
    </div>
  )
}
