import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { toast } from '../../lib/toast.ts'
import { SecondaryButton } from './buttons.tsx'
import classes from './CopyableValues.module.css'

interface CopyableValue {
  label: string
  value: string
}

export function CopyableValues({ values, label }: { values: CopyableValue[]; label: string }) {
  return (
    <ul className={`boxed-list ${classes.root}`} aria-label={label}>
      {values.map((one) => (
        <CopyRow key={one.label} {...one} />
      ))}
    </ul>
  )
}

function CopyRow({ label, value }: CopyableValue) {
  const [copied, setCopied] = useState(false)

  async function copy() {
    try {
      await navigator.clipboard.writeText(value)
      setCopied(true)
      toast.success(`${label} copied`)
    } catch {
      toast.error('Could not copy. Select the text and copy it manually.')
    }
  }
  const Icon = copied ? IconCheck : IconCopy
  return (
    <li>
      <div className={classes.words}>
        <span className="hint">{label}</span>
        <code className={classes.value}>{value}</code>
      </div>
      <SecondaryButton
        className={classes.copy}
        leftSection={<Icon size={16} aria-hidden />}
        aria-label={`Copy ${label}`}
        onClick={() => void copy()}
      >
        Copy
      </SecondaryButton>
    </li>
  )
}
