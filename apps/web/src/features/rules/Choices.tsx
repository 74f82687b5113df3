import styles from './RuleForm.module.css';

interface Props<T extends string> {
  readonly legend: string;
  readonly name: string;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly chosen: string;
  readonly onChoose: (value: T) => void;
}

/** A choice of one option. */
export function Choices<T extends string>({ legend, name, options, chosen, onChoose }: Props<T>) {
  return (
    <fieldset className={styles.choices}>
      <legend>{legend}</legend>
      {options.map(({ value, label }) => (
        <label key={value}>
          <input type="radio" name={name} checked={chosen === value} onChange={() => onChoose(value)} />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
