import classes from './RowCheckbox.module.css'

interface Props {
  label: string
  checked: boolean
  /** Some of what it stands for is selected. */
  indeterminate?: boolean
  onChange: (checked: boolean) => void
}

/** The browser's own box: a page has fifty, and drawing Mantine's takes several times as long. */
export function RowCheckbox({ label, checked, indeterminate = false, onChange }: Props) {
  return (
    <input
      ref={(input) => {
        if (input) input.indeterminate = indeterminate
      }}
      type="checkbox"
      className={classes.root}
      aria-label={label}
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}
