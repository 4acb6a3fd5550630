import { nameWire, type Recorder } from './line';

interface End {
  send(message: object): Promise<void>;
  receive(message: object): void;
}

/** Records what passes through the client's end of a connection in memory. */
export function recordMemory(client: object, record: Recorder): void {
  const wire = nameWire('memory');
  const end = client as End;
  const [send, receive] = [end.send.bind(end), end.receive.bind(end)];
  end.send = (message) => {
    record({ wire, from: 'client', text: JSON.stringify(message) });
    return send(message);
  };
  end.receive = (message) => {
    record({ wire, from: 'server', text: JSON.stringify(message) });
    receive(message);
  };
}
