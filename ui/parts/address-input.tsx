import { TextInput, type TextInputProps } from "@mantine/core";
import { type ReactNode, type Ref, useState } from "react";

interface AddressInputProps extends Omit<TextInputProps, "value" | "onChange"> {
  readonly value: string;
  readonly ref?: Ref<HTMLInputElement>;
  readonly change: (text: string) => void;
}

/** Field whose text is in the address, which may lag behind typing; typed letters are not lost. */
export function AddressInput({ value, change, ...others }: AddressInputProps): ReactNode {
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  const [own, setOwn] = useState<readonly string[]>([]);
  if (value !== seen) {
    setSeen(value);
    const at = own.indexOf(value);
    setOwn(at < 0 ? [] : own.slice(at + 1));
    // The address also changes by other ways: back, a link, the palette.
    if (at < 0) setTyped(value);
  }
  return (
    <TextInput
      {...others}
      value={typed}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setTyped(text);
        setOwn([...own, text]);
        change(text);
      }}
    />
  );
}
