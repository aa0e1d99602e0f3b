// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.farm;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.projectfloodlight.openflow.exceptions.OFParseError;
import org.projectfloodlight.openflow.protocol.OFMessage;

/** A switch's connection to the controller: whole OpenFlow messages, in order. */
final class Wire {
    /** What may wait to be written before packets are dropped, as a switch drops them, in bytes. */
    static final int MOST_WAITING_PACKETS = 1 << 20;

    private static final int READ_BYTES = 1 << 16;
    private static final int HEADER_BYTES = 8;
    private static final int LENGTH_AT = 2;

    /** Takes messages. */
    interface Receiver {
        /**
         * Takes a message.
         *
         * @param message exactly one message; the receiver may read it now, and must not keep it
         */
        void received(ByteBuf message) throws OFParseError;

        /** Is told that the connection has ended. */
        void lost(String why);
    }

    private final Loop loop;
    private final Receiver receiver;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final ByteBuf in = Unpooled.buffer(READ_BYTES);
    private final ByteBuf out = Unpooled.buffer(READ_BYTES);
    private boolean flushing;
    private boolean open = true;

    /** Begins to connect. */
    Wire(Loop loop, InetSocketAddress controller, Receiver receiver) throws IOException {
        this.loop = loop;
        this.receiver = receiver;
        channel = SocketChannel.open();
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        key = loop.register(channel, SelectionKey.OP_CONNECT, this::ready);
        channel.connect(controller);
    }

    /** Sends a message once the connection is there. */
    void send(OFMessage message) {
        message.writeTo(out);
        flushSoon();
    }

    /** Sends a message as it is. */
    void sendReply(byte[] message) {
        out.writeBytes(message);
        flushSoon();
    }

    /**
     * Sends a packet-in as it is.
     *
     * @return false if so much waits already that it is dropped
     */
    boolean sendPacket(byte[] message) {
        if (out.readableBytes() > MOST_WAITING_PACKETS) {
            return false;
        }
        out.writeBytes(message);
        flushSoon();
        return true;
    }

    /** Ends the connection. */
    void close() {
        lose("closed");
    }

    private void flushSoon() {
        // Several messages of one moment go in one write.
        if (!flushing) {
            flushing = true;
            loop.execute(this::flush);
        }
    }

    private void ready() {
        try {
            if (key.isConnectable() && channel.finishConnect()) {
                key.interestOps(SelectionKey.OP_READ);
                flush();
            }
            if (key.isValid() && key.isReadable()) {
                read();
            }
            if (key.isValid() && key.isWritable()) {
                flush();
            }
        } catch (IOException | OFParseError e) {
            lose(e.toString());
        }
    }

    private void read() throws IOException, OFParseError {
        in.ensureWritable(READ_BYTES);
        int read = in.writeBytes(channel, in.writableBytes());
        if (read < 0) {
            lose("the controller has closed the connection");
            return;
        }
        while (in.readableBytes() >= HEADER_BYTES) {
            int length = in.getUnsignedShort(in.readerIndex() + LENGTH_AT);
            if (length < HEADER_BYTES) {
                throw new OFParseError("a message of " + length + " bytes");
            }
            if (in.readableBytes() < length) {
                break;
            }
            receiver.received(in.readSlice(length));
        }
        in.discardSomeReadBytes();
    }

    private void flush() {
        flushing = false;
        if (!open || !channel.isConnected()) {
            return;
        }
        try {
            out.readBytes(channel, out.readableBytes());
            key.interestOps(out.isReadable() ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
            out.discardSomeReadBytes();
        } catch (IOException e) {
            lose(e.toString());
        }
    }

    private void lose(String why) {
        if (open) {
            open = false;
            key.cancel();
            try {
                channel.close();
            } catch (IOException e) {
                // It has gone all the same.
            }
            receiver.lost(why);
        }
    }
}
