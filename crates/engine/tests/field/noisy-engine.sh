# An engine that chatters before and around its handshake, and knows one answer.
echo "Scripted 1.0 (build 7), 4 threads"
echo
echo "hash=16MB"
while read -r line; do
    case "$line" in
        uci)
            echo "tablebases: none"
            echo "id name Noisy Engine 1.0"
            echo "id author field"
            echo "option name Hash type spin default 16 min 1 max 1024"
            echo "loading..."
            echo "uciok"
            ;;
        "setoption name Hash value 16") hash=set ;;
        isready)
            echo "ready soon"
            echo "  readyok"
            ;;
        "go perft 1")
            echo "counting with hash $hash"
            echo "  info depth 3 score cp 10"
            echo "  h8g8: 1"
            echo
            echo "nps 4000000"
            printf '\th8g7 :1\n'
            echo "h8h7 - 1 "
            [ "$hash" = set ] && echo "  Nodes searched   :   3"
            echo "Time: 0.001 s"
            ;;
        quit) exit ;;
    esac
done
